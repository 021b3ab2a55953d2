"""REMEMBERS: the journal of a night, and everything that follows from it by replay."""
