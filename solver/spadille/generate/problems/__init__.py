"""Problems for teaching: decisions with one winning card, found, explained, and checked."""
