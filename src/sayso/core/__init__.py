"""The nouns and the errors that everything else speaks in; standard library only."""
