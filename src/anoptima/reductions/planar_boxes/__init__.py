"""From planar formulas to patches, and from patches to boxes: wires, loops, clauses, their layout, and the compiler."""
