"""An independent reader of Nacre's format 1, written from FORMAT.md alone."""
