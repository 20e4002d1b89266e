"""From a deal and a contract to the engine and back."""
