"""Very many deals: answers kept in a ledger, from one machine or many."""
