"""Price sheets of the user's: read into a preview that says what every row means; nothing is taken by reading."""
