"""30,162 persons of a census, whole and in samples, under k-anonymity, (alpha, k)-anonymity, diversity and closeness."""

from __future__ import annotations

from collections.abc import Iterator

from anoptima.instances.census import census
from anoptima.instances.drawn import sampled
from anoptima.instances.library import Family, add_family
from anoptima.instances.making import Member, cells, columns, key
from anoptima.principles import KAnonymity, LDiversity, TCloseness
from anoptima.principles.alpha_k_anonymity import AlphaKAnonymity
from anoptima.principles.entropy_diversity import EntropyDiversity
from anoptima.principles.recursive_diversity import RecursiveDiversity
from anoptima.spaces import Ordered
from anoptima.table import Table

_SOURCE = "UCI Adult (Becker and Kohavi 1996), CC BY 4.0"

_WHOLE = {"eight": (2, 3, 5, 10), "six": (2, 3, 5, 10), "four": (3, 5, 10, 25)}

_JOBS = (
    "Adm-clerical", "Armed-Forces", "Craft-repair", "Exec-managerial", "Farming-fishing", "Handlers-cleaners", "Machine-op-inspct",
    "Other-service", "Priv-house-serv", "Prof-specialty", "Protective-serv", "Sales", "Tech-support", "Transport-moving",
)  # fmt: skip


def persons(rows: int) -> Table:
    """Return some persons of the census, eight columns."""
    return sampled(census(), rows)


def workers(rows: int) -> Table:
    """Return some persons of the census, seven columns, their occupations sensitive."""
    return sampled(census("seven", "occupation"), rows)


def _whole() -> Iterator[Member]:
    for word, ks in _WHOLE.items():
        for k in ks:
            yield f"{word}-k{k}", f"{word} columns, k={k}", cells(KAnonymity(k), census, word)


def _samples() -> Iterator[Member]:
    for rows in (30, 100, 300, 1000):
        for k in (2, 3, 5):
            yield f"{rows}-k{k}", f"rows={rows}, k={k}", cells(KAnonymity(k), persons, rows)
    for rows in (100, 1000):
        for k in (2, 5):
            yield f"{rows}-columns-k{k}", f"whole columns, rows={rows}, k={k}", columns(KAnonymity(k), persons, rows)
        yield f"{rows}-key", f"identifying columns, rows={rows}", key(persons, rows)


def _occupations() -> Iterator[Member]:
    sales = AlphaKAnonymity("0.2", 3, values=["Sales"])
    of_samples = {
        "k2": KAnonymity(2), "k3": KAnonymity(3),
        "l2": LDiversity(2), "l3-distinct": LDiversity(3, version="distinct"), "t0.5": TCloseness("0.5"), "t0.3": TCloseness("0.3"),
        "t0.3-ordered": TCloseness("0.3", space=Ordered(_JOBS)), "k3-l2": KAnonymity(3) & LDiversity(2),
        "k3-t0.5": KAnonymity(3) & TCloseness("0.5"),
        "k3-sales0.2": sales, "l3-entropy": EntropyDiversity(3), "l3-recursive": RecursiveDiversity(2, 3),
    }  # fmt: skip
    of_all = {
        "l2": LDiversity(2), "l3": LDiversity(3), "k5-l2": KAnonymity(5) & LDiversity(2), "t0.2": TCloseness("0.2"), "k3-sales0.2": sales
    }  # fmt: skip
    for rows, principles in {**dict.fromkeys((30, 100, 300, 3000), of_samples), 30_162: of_all}.items():
        for word, principle in principles.items():
            yield f"{rows}-{word}", f"rows={rows}, {principle}", cells(principle, workers, rows)


CENSUS = add_family(Family("census", "30,162 persons of a census", _SOURCE, _whole))
SAMPLES = add_family(Family("census-sample", "persons drawn from the census, eight columns", _SOURCE, _samples))
OCCUPATIONS = add_family(
    Family(
        "occupations", "persons drawn from the census, seven columns, the occupation sensitive", _SOURCE, _occupations
    )
)
