"""The data model of a game: contracts, bids, options, following suit."""
