"""Everything optional: games, variants, stores, bots and the command line, each found by its entry point."""
