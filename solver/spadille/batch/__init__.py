"""Answer a question about millions of deals, on one machine or many, and keep the answers."""
