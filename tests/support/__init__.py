"""Generators, judges and other helpers that several tests share."""
