"""Whatever is in a file, reading it ends, in an answer or in one sentence: named cases, and many small changes to good files."""

from __future__ import annotations

import bz2
import gzip
import io
import json
import lzma
import random
import zipfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pandas as pd
import pytest

import anoptima as ao
from anoptima import limits
from anoptima.cli.arguments import _space_data
from anoptima.documents import csv_texts
from anoptima.documents.answers import answer_document, read_answer
from anoptima.documents.checkpoints import Checkpoint
from anoptima.documents.csv_texts import read_header, read_texts
from anoptima.documents.exports import export_model
from anoptima.documents.imports import import_solution
from anoptima.documents.parquet import read_parquet
from anoptima.documents.proofs import first_document, proof_document
from anoptima.documents.reading import read_json
from anoptima.documents.sidecars import read_sidecar
from anoptima.documents.writing import to_json
from anoptima.errors import AnoptimaError, BadInput
from anoptima.problems.sources.source_problem import read_source, readable
from anoptima.spaces import space_from_json

PROBLEM = ao.CellSuppression(ao.ten_rows(), ao.KAnonymity(3))
HUGE = "1e999999999"
LONGEST = 2_000
"""Characters of the longest sentence."""


def good_files(folder: Path) -> dict[str, tuple[Path, Callable[[Path], Any]]]:
    """Write a good file for every reader, and return how it is read, checked and made use of."""
    answer = ao.solve(PROBLEM, "sifting", checkpoint=folder / "run.json")
    (folder / "answer.json").write_text(to_json(answer_document(answer)))
    ao.save_proof(answer, folder / "proof.json")
    close = ao.CellSuppression(ao.ten_rows(), ao.TCloseness("0.5", space=ao.EqualDistance()))
    ao.save_proof(ao.solve(close, "sifting", time_limit=5), folder / "close.json")
    ao.save_proof(ao.solve(ao.IdentifyingColumns(ao.ten_rows()), "hitting-set"), folder / "keys.json")
    export_model(PROBLEM, "pattern", folder / "model.mps")
    (folder / "model.sol").write_text("x(0) 1\n")
    ao.ten_rows().frame.to_csv(folder / "t.csv", index=False)
    ao.ten_rows().frame.to_parquet(folder / "t.parquet")
    (folder / "points.csv").write_text("x,y\n1,2\n0.5,1/3\n1e2,7\n")
    (folder / "space.json").write_text('{"kind": "matrix", "values": ["a", "b"], "matrix": [[0, "1/2"], ["1/2", 0]]}')
    (folder / "graph.json").write_text('{"vertices": [1, 2, 3, 4], "edges": [[1, 2], [3, 4], [2, 3]]}')
    (folder / "graph.col").write_text("p edge 4 2\ne 1 2\ne 3 4\n")
    (folder / "graph.txt").write_text("1 2\n2 3\n4\n1 4\n")
    (folder / "cover.json").write_text('{"universe": [1, 2], "sets": {"a": [1], "b": [1, 2]}}')
    (folder / "triples.json").write_text('{"w": [1], "x": [2], "y": [3], "triples": [[1, 2, 3]]}')
    (folder / "formula.json").write_text('{"variables": 3, "clauses": [[1, -2, 3]]}')

    def prove(path: Path) -> None:
        document = ao.read_proof(path)
        document.proved(document.problem_on(ao.ten_rows()))

    quasi = ao.ten_rows().quasi
    readers: dict[str, Callable[[Path], Any]] = {
        "run.json": lambda path: Checkpoint(path, PROBLEM),
        "answer.json": lambda path: read_answer(path).problem_on(ao.ten_rows()),
        "proof.json": prove,
        "close.json": prove,
        "keys.json": prove,
        "model.json": lambda path: read_sidecar(path).problem_on(ao.ten_rows()),
        "model.sol": lambda path: import_solution(PROBLEM, folder / "model.json", path),
        "t.csv": lambda path: ao.Table.read_csv(path, quasi),
        "t.parquet": lambda path: ao.Table.read_parquet(path, quasi),
        "points.csv": lambda path: ao.FakePoints.read_csv(path, ["x", "y"], 2),
        "space.json": lambda path: space_from_json(_space_data("ill", f"matrix:{path}")).fit(["a", "b"]),
        "graph.json": lambda path: read_source("vertex-cover", path),
        "graph.col": lambda path: read_source("minimum-bisection", path),
        "graph.txt": lambda path: read_source("maximum-clique", path),
        "cover.json": lambda path: read_source("minimum-cover", path),
        "triples.json": lambda path: read_source("3d-matching", path),
        "formula.json": lambda path: read_source("planar-3-sat", path),
    }
    return {name: (folder / name, read) for name, read in readers.items()}


ODD = [
    *(
        HUGE,
        "1/0",
        "-1",
        "nan",
        "0",
        "",
        "[]",
        "{}",
        "null",
        "true",
        '"x"',
        "1e5000",
        "9" * 5000,
        "2.5",
        "\\u0000",
        "\x00",
    ),
    *(str(2**70), "-1e-999999999", "[" * 600, "{" * 10, '"', ",", "\n", "\ufeff", "\\", "\r", ";" * 50, "é", "*"),
]
"""What is put into files in place of something else."""


def changed(content: bytes, chance: random.Random) -> bytes:
    """Return a file with one or two things in it changed: a word, some characters, its end."""
    for _ in range(chance.randint(1, 2)):
        at, other = sorted((chance.randint(0, len(content)), chance.randint(0, len(content))))
        odd = chance.choice(ODD).encode()
        match chance.randrange(5):
            case 0:
                content = content[:at] + odd + content[at + len(odd) :]
            case 1:
                content = content[:at] + odd + content[at:]
            case 2:
                content = content[:at]
            case 3:
                content = content[:at] + content[min(other, at + 40) :]
            case 4:
                content = content[:at] + content[at : at + 20] * chance.randint(2, 50) + content[at:]
    return content


def words_changed(data: Any, chance: random.Random) -> Any:
    """Return a JSON document with one value in it replaced, wherever it lies."""
    if isinstance(data, dict | list) and data and chance.random() < 0.85:
        keys = list(data) if isinstance(data, dict) else range(len(data))
        key = chance.choice(keys)
        copy: Any = data.copy()
        copy[key] = words_changed(data[key], chance)
        return copy
    return chance.choice(
        [
            HUGE,
            -1,
            0,
            2**70,
            "x",
            None,
            [],
            {},
            True,
            "1/3",
            [[]],
            {"kind": "blocks"},
            1.5,
            10**30,
            [data] * 3,
            {"tree": data},
        ]
    )


@pytest.mark.slow
def test_changed_files_are_read_or_refused_in_one_sentence(tmp_path: Path) -> None:
    refused = 0
    for name, (path, read) in good_files(tmp_path).items():
        read(path) if name != "model.sol" else None
        good = path.read_bytes()
        for seed in range(60):
            chance = random.Random(f"{name} {seed}")
            if path.suffix == ".json" and seed % 2:
                bad = json.dumps(words_changed(json.loads(good), chance)).encode()
            else:
                bad = changed(good, chance)
            path.write_bytes(bad)
            try:
                read(path)
            except AnoptimaError as error:
                refused += 1
                said = str(error)
                assert said, (name, seed)
                assert len(said) <= LONGEST, (name, seed, said[:200])
            except Exception as error:
                raise AssertionError(f"{name}, seed {seed}: {bad[:300]!r}") from error
        path.write_bytes(good)
    assert refused > 500
    assert {"vertex-cover", "minimum-cover"} <= readable().keys()


@pytest.mark.parametrize("field", ["value", "denominator", "k"])
def test_a_proof_with_a_huge_number_is_refused(tmp_path: Path, field: str) -> None:
    path = tmp_path / "proof.json"
    answer = ao.solve(PROBLEM, "sifting")
    data = first_document(answer)
    data["proof"][field] = HUGE
    path.write_text(json.dumps(data))
    with pytest.raises(BadInput, match=f"'{field}' in the proof is '{HUGE}'"):
        ao.read_proof(path)
    data = proof_document(answer)
    data["proof"][field] = HUGE
    path.write_text(json.dumps(data))
    says = {"value": "makes no sense", "denominator": HUGE, "k": "and no others"}
    with pytest.raises(BadInput, match=says[field]):
        ao.read_proof(path).proved(PROBLEM)


def test_numbers_in_every_other_place_are_refused(tmp_path: Path) -> None:
    data = answer_document(ao.solve(PROBLEM, "peel"))
    path = tmp_path / "answer.json"
    path.write_text(json.dumps({**data, "cost": HUGE}))
    with pytest.raises(BadInput, match="the cost is '1e999999999'; a number may have 400 digits"):
        read_answer(path)
    (tmp_path / "points.csv").write_text("x\n1e99999999\n")
    with pytest.raises(
        BadInput, match=r"points\.csv: row 1, column 'x', is '1e99999999'; a number may have 400 digits"
    ):
        ao.FakePoints.read_csv(tmp_path / "points.csv", ["x"], 2)
    with pytest.raises(BadInput, match="l is '1e5000'; a number may have 400 digits"):
        ao.LDiversity("1e5000")
    with pytest.raises(BadInput, match="the weight of 'age1' is '1e999999999'"):
        ao.Table.from_frame(ao.ten_rows().frame, ["age1"], weights={"age1": HUGE})


def test_a_long_line_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(csv_texts, "LINE_CHARACTERS", 1000)
    (tmp_path / "t.csv").write_text("a\n" + ",".join("x" * 2000) + "\n")
    with pytest.raises(BadInput, match=r"t\.csv: line 2 is too long; a line may have 1,000 characters"):
        read_texts(tmp_path / "t.csv")
    (tmp_path / "t.csv").write_text("a" * 2000)
    with pytest.raises(BadInput, match=r"t\.csv: line 1 is too long"):
        read_header(tmp_path / "t.csv")


def test_packed_files_may_not_unpack_to_everything(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(limits, "UNPACKED_BYTES", 1 << 16)
    bomb = b"a\n" + b"1\n" * (1 << 20)
    for suffix, pack in ((".gz", gzip.compress), (".bz2", bz2.compress), (".xz", lzma.compress)):
        path = tmp_path / f"t.csv{suffix}"
        path.write_bytes(pack(bomb))
        with pytest.raises(BadInput, match="it unpacks to more than the 0 MiB that are taken from a file of its size"):
            read_texts(path)
        path.write_bytes(pack(b"a\n1\n"))
        assert len(read_texts(path)) == 1
    with zipfile.ZipFile(tmp_path / "t.zip", "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("t.csv", bomb)
    with pytest.raises(BadInput, match="it unpacks to more than"):
        read_texts(tmp_path / "t.zip")


def test_a_parquet_file_of_many_equal_rows_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    pd.DataFrame({"a": [1] * 100_000}).to_parquet(tmp_path / "t.parquet")
    assert len(read_parquet(tmp_path / "t.parquet")) == 100_000
    monkeypatch.setattr(limits, "UNPACKED_BYTES", 1 << 16)
    monkeypatch.setattr(limits, "UNPACKED", 2)
    with pytest.raises(BadInput, match=r"t\.parquet unpacks to 0 MiB; from a file of its size 0 MiB are taken"):
        read_parquet(tmp_path / "t.parquet")


def test_many_entries_take_time_in_proportion(tmp_path: Path) -> None:
    buffer = io.StringIO()
    json.dump([[0]] * 200_000 + [{}] * 200_000 + list(range(200_000)), buffer)
    (tmp_path / "many.json").write_text(buffer.getvalue())
    assert len(read_json(tmp_path / "many.json")) == 600_000


def test_a_short_proof_about_too_many_patterns_is_refused() -> None:
    from anoptima.proofs.groups import GroupProof
    from anoptima.proofs.multipliers import MultiplierProof

    frame = pd.DataFrame({f"c{j}": [0] * 40 for j in range(40)})
    frame["c0"] = range(40)
    problem = ao.CellSuppression(ao.Table.from_frame(frame, list(frame.columns)), ao.KAnonymity(2))
    digest, principle = problem.table.digest, problem.principle.as_json()
    for proof in (MultiplierProof(0, digest, 2, 1, (0,) * 40), GroupProof(0, digest, principle, 1, (0,) * 40)):
        with pytest.raises(BadInput, match="the proof is about every pattern of 40 columns and 40 row types"):
            proof.proved(problem)


def test_parts_of_the_wrong_shape_are_refused(tmp_path: Path) -> None:
    path = tmp_path / "document.json"
    table = ao.Table.from_frame(pd.DataFrame({"z": [1, 1, 2, 2], "ill": [*"xyxy"]}), ["z"], "ill")
    given = ao.GivenPatterns(table, ao.KAnonymity(2), [("*",), (1,)])
    document = answer_document(ao.solve(given))
    shapes: tuple[Any, ...] = (3, [3], ["*"], [[]], [["*", 1]])
    for patterns in shapes:
        path.write_text(to_json({**document, "problem": {**document["problem"], "patterns": patterns}}))
        with pytest.raises(ao.BadInput, match=r"^the document: the (pattern|list of patterns) "):
            read_answer(path).problem_on(table)
    side = ao.export_model(given, "given-patterns", tmp_path / "model.mps")
    written = json.loads(side.read_text())
    path.write_text(to_json({**written, "problem": {**written["problem"], "name": ["x"]}}))
    with pytest.raises(ao.BadInput, match=r"is of a problem \['x'\]"):
        read_sidecar(path).problem_on(table)
    rare = ao.CellSuppression(table, ao.AlphaKAnonymity("1/2", 2, values=["x"]))
    proof = proof_document(ao.solve(rare))
    [condition] = [one for one in proof["problem"]["principle"] if one["kind"] == "rare-values"]
    condition["l"] = [0, 1]
    path.write_text(to_json(proof))
    with pytest.raises(ao.BadInput, match="is no proof that makes sense"):
        ao.read_proof(path)
