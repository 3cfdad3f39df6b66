"""What turns a planar formula into patches, and patches into boxes: wires, loops, clauses, the layout of all of them, the compiler."""
