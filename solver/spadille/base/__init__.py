"""Text, exceptions and small tools that the other folders of the package use."""
