"""Training Budget: what training a large language model costs, before anyone rents a GPU."""
