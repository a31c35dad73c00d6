"""The shared case file, run through one adapter: each op of it is mapped onto polyfact's public functions."""
