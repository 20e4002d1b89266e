"""The form that the files of the games fill in: contracts, bids, options, following suit."""
