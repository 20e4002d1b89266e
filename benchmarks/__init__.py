"""How fast spadille is, measured against DDS where both can play; see README.md."""
