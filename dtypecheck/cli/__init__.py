"""The command line: parses flags, calls the library, prints. Start-up imports click and little else."""
