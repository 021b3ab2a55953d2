"""THE LAW: what the rules of TWEAK! allow, and why.

Standard library only: no clock, no files, no randomness that is not passed in.
Values are frozen; an ordinary "no" is a verdict, an exception is a broken promise.
"""
