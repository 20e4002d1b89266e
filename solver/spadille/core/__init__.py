"""Deals and what the rules say about them: auctions, contracts, positions and outcomes."""
