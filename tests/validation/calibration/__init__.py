"""The refit of the speed constants to published speeds, as a reproducible program."""
