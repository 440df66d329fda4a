"""Bots: they are given a seat's view, never the position, and pick one of the seat's legal commands."""
