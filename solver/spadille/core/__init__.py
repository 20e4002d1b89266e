"""Deals under the rules: auctions, contracts, positions and recorded outcomes."""
