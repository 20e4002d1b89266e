"""Deals and results for people: text, HTML, notebook; what the command and Python share."""
