"""Problems for teaching: find, explain and check decisions with one winning card."""
