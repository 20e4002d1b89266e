"""How much a hand is worth before a card is played, from tables that come with the package."""
