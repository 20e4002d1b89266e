"""Settings of the whole test run."""

from __future__ import annotations

from hypothesis import settings

# A busy machine is no fault of the code: examples are not timed.
settings.register_profile("spadille", deadline=None)
settings.load_profile("spadille")
