"""How long a training job takes and how much memory it needs. `estimate.estimate` is the one door."""
