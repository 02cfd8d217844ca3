"""All that a decision rests on beside the figures of one scenario: other ways, months, risks, thresholds, who signs."""
