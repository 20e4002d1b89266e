"""Renders deals and results as text, HTML and notebook output, for the command and for Python."""
