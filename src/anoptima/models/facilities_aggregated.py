"""Facility location with lower bounds, one link for each facility.

The program of `facilities`, except that the links x_fc <= n_c z_f of each facility are added up:

    (link)      sum_c x_fc <= N_f z_f           with N_f = sum of n_c over the clients that f may serve

The same solutions and fewer rows. Its relaxation is worth no more than serving every client where it costs least, among the facilities
with N_f >= L: z_f = sum_c x_fc / N_f satisfies (least).

Size, for A connections, F facilities and C sorts of clients: A + F variables, C + 2 F rows, 3 A + 2 F coefficients.
"""

from __future__ import annotations

from anoptima.models import models
from anoptima.models.facilities import FacilitiesModel
from anoptima.models.links import Links


@models.register
class FacilitiesAggregatedModel(FacilitiesModel):
    """Clients to facilities, one link for each facility; for facility location with lower bounds, to compare with `facilities`."""

    name = "facilities-aggregated"
    links = Links.AGGREGATED
    for_study = True
