"""Settings of the whole test run."""

from __future__ import annotations

import signal

from hypothesis import settings

# Shells start what runs in the background deaf to Ctrl-C, and so would be all that tests start.
signal.signal(signal.SIGINT, signal.default_int_handler)

# A busy machine is no fault of the code: examples are not timed.
settings.register_profile("spadille", deadline=None)
settings.load_profile("spadille")
