"""Problems for teaching: decisions with one winning card, found, told, and checked."""
