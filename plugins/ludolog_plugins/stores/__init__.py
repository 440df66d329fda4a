"""Stores that come with the library."""
