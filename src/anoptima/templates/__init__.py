"""What `anoptima new` copies: for each kind of plug-in one module that works and conforms, to be changed into one's own.

`Template` stands for the class's name, and `"template"` for the name that users type. Comments that begin with `Yours:` say where to write.
These modules are read as texts; nothing imports them.
"""
