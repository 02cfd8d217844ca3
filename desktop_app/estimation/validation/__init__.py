"""Predicted against published, table by table."""
