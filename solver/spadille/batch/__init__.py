"""Millions of deals: answers kept in a ledger, computed on one machine or many."""
