"""A request as words, said in the words that the parsers know; deeds and wishes that no call can serve."""
