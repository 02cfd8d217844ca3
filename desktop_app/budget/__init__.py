"""What a training job costs: scenarios, the ledger of lines, ranges, projects."""
