"""Facility location with lower bounds, with big-M links.

The program of `facilities`, with one number of clients M in all links:

    (link)      x_fc <= M z_f                   with M = sum_c n_c

The same solutions and the same number of rows. Its relaxation is worth no more than serving every client where it costs least, even at
facilities that could never be open, if there are L clients: z_f = max_c x_fc / M satisfies (least).

Size: that of `facilities`.
"""

from __future__ import annotations

from anoptima.models import models
from anoptima.models.facilities import FacilitiesModel
from anoptima.models.links import Links


@models.register
class FacilitiesBigMModel(FacilitiesModel):
    """Clients to facilities, big-M links; for facility location with lower bounds, to compare with `facilities`."""

    name = "facilities-big-m"
    links = Links.BIG_M
    for_study = True
