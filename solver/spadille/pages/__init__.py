"""An evening as one self-contained HTML page that can be read without its script."""
