"""The engine under any principle made of k-anonymity, l-diversity and t-closeness."""
