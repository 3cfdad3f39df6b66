"""The families of the library: one module each, with one `Family` that is added to it."""
