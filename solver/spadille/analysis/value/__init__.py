"""What is a contract worth, and each card? Double-dummy values, and what changes them."""
