"""Hypothesis on a machine that others use too: no deadline for a single example."""

from hypothesis import settings

settings.register_profile("calm", deadline=None)
settings.load_profile("calm")
