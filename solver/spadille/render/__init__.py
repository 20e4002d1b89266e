"""Deals and results for people, as text, HTML and notebook output, for the command and Python."""
