"""The command, as `python -m spadille`."""

from spadille_cli import main

if __name__ == "__main__":
    main(prog_name="spadille")
