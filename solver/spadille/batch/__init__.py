"""Batches of millions of deals, with answers kept in a ledger, on one machine or many."""
