"""Works out what a seat can know at a point of a deal, and which layouts are possible."""
