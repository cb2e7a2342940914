"""Mutants that change nothing that anybody could notice: (path, line, change): why."""

EQUIVALENTS = {}
