"""An evening as one page of HTML that needs nothing else, and can be read without its script."""
