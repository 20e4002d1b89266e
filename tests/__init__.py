"""Tests of spadille, and the programs that test it harder than the tests do."""
