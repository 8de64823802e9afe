"""From what sources propose to one answer: weigh, bar, abstain, ask back."""
