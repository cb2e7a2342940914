"""An independent reader of Nacre's formats, written from FORMAT.md and SEALED-FILE.md alone."""
