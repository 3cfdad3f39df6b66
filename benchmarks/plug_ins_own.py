"""What is written to make other plug-ins out of the templates: `benchmarks.plug_ins` puts each in its place, and counts its lines."""

from __future__ import annotations

OWN: dict[str, tuple[tuple[str, str], ...]] = {
    # The columns of few values are sorted by first.
    "algorithm": (
        (
            "        order = np.lexsort(table.types[table.type_of_row].T[::-1])\n",
            (
                "        values = table.types[table.type_of_row]\n"
                "        fewest = np.argsort([len(np.unique(column)) for column in values.T], kind='stable')\n"
                "        order = np.lexsort(values[:, fewest[::-1]].T)\n"
            ),
        ),
    ),
    # No value in more than half of a group.
    "principle": (
        ("import AtLeastRows, AtLeastValues\n", "import AtLeastRows, AtMostShare\n"),
        ("from dataclasses import dataclass\n", "from dataclasses import dataclass\nfrom fractions import Fraction\n"),
        ("    p: int\n    column", "    column"),
        ('for name in ("k", "p"):', 'for name in ("k",):'),
        (
            "        return (groups.sizes >= self.k) & self.could_hold_each(groups)\n",
            (
                "        column = column_of(self.column, groups.sensitive, self.kind)\n"
                "        most = np.array([groups.counts(column, group).max() for group in range(len(groups))])\n"
                "        return (groups.sizes >= self.k) & (2 * most <= groups.sizes)\n"
            ),
        ),
        (
            (
                "        tally = groups.tally(\n"
                "            column_of(self.column, groups.sensitive, self.kind)\n"
                "        )  # (group, value, count), for values that occur\n"
                "        return (groups.sizes >= self.k) & (np.bincount(tally.group, minlength=len(groups)) >= self.p)\n"
            ),
            "        return groups.sizes >= self.k\n",
        ),
        (
            (
                "        values = int((groups.counts(column_of(self.column, groups.sensitive, self.kind), group) > 0).sum())\n"
                "        if size >= self.k and values >= self.p:\n"
            ),
            (
                "        most = int(groups.counts(column_of(self.column, groups.sensitive, self.kind), group).max())\n"
                "        if size >= self.k and 2 * most <= size:\n"
            ),
        ),
        (
            'f"k = {self.k} and p = {self.p} but the group has {size} rows and {values} sensitive values"',
            'f"k = {self.k} but the group has {size} rows, {most} of them with one value"',
        ),
        (
            "AtLeastValues(column_of(self.column, table.sensitive, self.kind), self.p)",
            "AtMostShare(column_of(self.column, table.sensitive, self.kind), Fraction(1, 2))",
        ),
        ("return max(self.k, self.p)", "return max(self.k, 2)"),
        ("yield cls(2, 2)", "yield cls(2)"),
        ('"k": self.k, "p": self.p, ', '"k": self.k, '),
        ('entry(data, "k"), entry(data, "p"), ', 'entry(data, "k"), '),
        ('f"{self.p}-sensitive {self.k}-anonymity"', 'f"{self.k}-anonymity, no value in more than half"'),
    ),
    # The algorithm `local-search`, from the best release on.
    "searcher": (
        ("import numpy as np\n\n", "from anoptima.answer import Budget\n"),
        ("import Partition\n", "import Partition\nfrom anoptima.solvers.approximate.local_search import LocalSearch\n"),
    ),
    # HiGHS, called through Pyomo's interface appsi.
    "backend": (
        (
            '    requires = {"anoptima_own_backend": "anoptima-own-backend"}\n',
            '    requires = {"pyomo": "pyomo", "highspy": "highspy"}\n',
        ),
        (
            "frozenset({Capability.INCUMBENTS, Capability.BOUND, Capability.CANCEL, Capability.DETERMINISTIC})",
            "frozenset({Capability.BOUND, Capability.DETERMINISTIC})",
        ),
        (
            (
                "        form = model.matrix\n"
                "        if not (form.integer | form.implied).all() or not np.isfinite([form.lower, form.upper]).all():\n"
                '            raise NotApplicable(f"{self.name} takes whole columns with finite bounds only")\n'
                "        return form\n"
            ),
            "        return model.matrix\n",
        ),
    ),
    # Only the differences that contain no other one need a row.
    "model": (
        (
            (
                "        for one, other in itertools.combinations(types, 2):\n"
                "            program.apart.add(sum(program.chosen[c] for c in np.flatnonzero(one != other).tolist()) >= 1)\n"
            ),
            (
                "        pairs = itertools.combinations(types, 2)\n"
                "        differences = {frozenset(np.flatnonzero(one != other).tolist()) for one, other in pairs}\n"
                "        for least in differences:\n"
                "            if not any(other < least for other in differences):\n"
                "                program.apart.add(sum(program.chosen[c] for c in least) >= 1)\n"
            ),
        ),
    ),
    # Rows have prices.
    "problem": (
        ("    k: int\n\n", "    k: int\n    prices: tuple[int, ...]\n\n"),
        (
            '            raise BadInput(f"k is {self.k}; it must be at least 1")\n',
            (
                '            raise BadInput(f"k is {self.k}; it must be at least 1")\n'
                '        object.__setattr__(self, "prices", tuple(as_integer(price, "a price") for price in self.prices))\n'
                "        if len(self.prices) != self.table.rows or min(self.prices) < 0:\n"
                '            raise BadInput(f"there must be {self.table.rows} prices, one for each row, and none below 0")\n'
            ),
        ),
        ("        return len(solution.rows)\n", "        return sum(self.prices[row] for row in solution.rows)\n"),
        (
            "        return int(sizes[sizes < self.k].sum())\n",
            (
                "        goes = sizes[self.table.type_of_row] < self.k\n"
                "        return sum(price for price, gone in zip(self.prices, goes, strict=True) if gone)\n"
            ),
        ),
        (
            '            yield cls(Table.from_frame(frame, ["zip", "age"]), k)\n',
            '            yield cls(Table.from_frame(frame, ["zip", "age"]), k, (1, 2, 3, 0, 5, 8))\n',
        ),
        ('        return {"k": self.k}\n', '        return {"k": self.k, "prices": list(self.prices)}\n'),
        (
            '        return cls(table, entry(data, "k"))\n',
            '        return cls(table, entry(data, "k"), entry(data, "prices"))\n',
        ),
    ),
    # Vertices without an edge are no sets.
    "reduction": (
        (
            '        return {"elements": size["edges"], "sets": size["vertices"]}\n',
            '        return {"elements": size["edges"]}\n',
        ),
        (
            "        return SetsOfEdges(problem, MinimumCover(range(len(edges)), sets))\n",
            (
                "        covering = {vertex: covered for vertex, covered in sets.items() if covered}\n"
                "        return SetsOfEdges(problem, MinimumCover(range(len(edges)), covering))\n"
            ),
        ),
        (
            "        return ChosenSets(solution.vertices)\n",
            "        return ChosenSets(solution.vertices & set(self.target.names))\n",
        ),
    ),
}
"""For each kind, what is replaced in its template by what."""

BODIES = {
    "backend": (
        "        # Yours, from here to the end of the file.",
        """\
        import highspy
        import pyomo.environ as pyo
        from pyomo.contrib import appsi

        highspy.Highs.resetGlobalScheduler(True)  # or it refuses another number of threads than it had
        report.bound(least_objective(form))
        start, _, notes = hold_start(form, start, report)
        if start is not None:
            report.start(StartFate.UNSUPPORTED)
        program = pyo.ConcreteModel()
        program.x = pyo.Var(range(form.columns))
        for x, low, high, whole in zip(program.x.values(), form.lower, form.upper, form.whole, strict=True):
            x.domain = pyo.Integers if whole else pyo.Reals
            x.bounds = finite(low), finite(high)
        program.rows = pyo.ConstraintList()
        for i, (low, high) in enumerate(zip(form.row_lower, form.row_upper, strict=True)):
            entries = range(form.row_start[i], form.row_start[i + 1])
            body = sum(form.coefficient[e] * program.x[form.column[e]] for e in entries)
            if len(entries):
                program.rows.add((finite(low), body, finite(high)))
            elif low > 0 or high < 0:
                return Result(Stop.PROVED, infeasible=True, notes=notes)
        if not form.columns:  # to appsi, nothing to solve
            return Result(Stop.PROVED, form.constant, np.zeros(0), form.constant, notes=notes)
        program.cost = pyo.Objective(expr=form.constant + sum(c * program.x[j] for j, c in enumerate(form.objective) if c))
        solver = appsi.solvers.Highs()
        solver.config.load_solution = False
        solver.config.time_limit = limits.seconds()
        solver.highs_options = {
            "presolve": "off",
            "mip_rel_gap": float(limits.gap),
            "mip_abs_gap": limits.absolute_gap,
            "random_seed": limits.seed,
            "threads": limits.threads or 0,
        }
        found = solver.solve(program)
        ended = found.termination_condition.name
        if ended == "infeasible":
            return Result(Stop.PROVED, infeasible=True, notes=notes)
        if ended in ("unbounded", "infeasibleOrUnbounded"):
            raise NotApplicable("the model is unbounded")
        if ended not in ("optimal", "maxTimeLimit"):
            raise RuntimeError(f"HiGHS ended with {ended}")
        stop = Stop.PROVED if ended == "optimal" else Stop.TIME
        if found.best_feasible_objective is None:
            return Result(stop, bound=found.best_objective_bound, notes=notes)
        values = np.clip(0.0, form.lower, form.upper)  # appsi leaves out what no row has
        used = found.solution_loader.get_primals()
        for j in (j for j, x in program.x.items() if x in used):
            values[j] = used[program.x[j]]
        return Result(
            stop,
            found.best_feasible_objective,
            values,
            found.best_objective_bound,
            notes=notes,
        )


def finite(limit):
    # As Pyomo has it.
    return None if math.isinf(limit) else limit
""",
    ),
    "searcher": (
        "        # Yours. What is returned",
        """\
        answer = LocalSearch().solve(problem, Budget(seconds=turn.seconds), partition)
        return answer.solution if answer.cost < problem.cost(partition) else None
""",
    ),
}
"""For the kinds whose body is written anew: where it begins in the template, and what is there then, to the end of the file."""
