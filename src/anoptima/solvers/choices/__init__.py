"""How `auto` chooses: what is asked, what is chosen, and the rules for cell suppression and for everything else."""
