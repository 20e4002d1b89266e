"""What a player could have known, and what cards and contracts are worth on that."""
