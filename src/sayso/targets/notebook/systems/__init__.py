"""Systems that repeat code that is already there (JuICe §6.1, §8): from train, from above, from other people."""

from sayso.targets.notebook.systems.simple import SIMPLE, api_answer, as_written, code_answer, within_code

__all__ = ["SIMPLE", "api_answer", "as_written", "code_answer", "within_code"]
