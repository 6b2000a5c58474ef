"""Tracks a person with the client, and prints what the typed answers hold."""

import json
import os
from datetime import datetime, timedelta, timezone

import models
from client import Client, Refused, decode

with open("openapi.json", encoding="utf-8") as file:
    document = json.load(file)

operator, owner, user = (Client(document, os.environ["BASE_URL"], os.environ[name]) for name in ("OPERATOR", "OWNER", "USER"))


def problem_of(call):
    try:
        call()
    except Refused as refused:
        return refused.problem.to_dict()
    return None


area = json.dumps({"type": "Polygon", "coordinates": [[[11, 45], [12, 45], [12, 46], [11, 46], [11, 45]]]})
draft = models.OrganizationDraft(
    name=os.environ["NAME"],
    owner=models.Owner(administrator_id=os.environ["OWNER_ID"], mail=os.environ["OWNER_MAIL"]),
    tracking_area=area,
    tracking_mode=models.TrackingMode.ANONYMOUS,
)
organization = operator.call("operator.createOrganization", draft.to_dict())
assert isinstance(organization, models.Organization), organization
assert isinstance(organization.creation_date, datetime)

places = owner.call("place.list", organizationId=organization.id)
body = {"movementType": "entrance", "organizationId": organization.id}
entrance = user.call("movement.trackOrganization", body)
inside = owner.call("presence.organizationCounter", organizationId=organization.id).counter
left = user.call("movement.trackOrganization", {**body, "movementType": "exit", "exitToken": entrance.exit_token})
accesses = user.call("access.organizationAnonymous", organizationId=organization.id, exitTokens=entrance.exit_token)
now = datetime.now(timezone.utc)
history = owner.call(
    "history.organizationHistory",
    organizationId=organization.id,
    step="hour",
    **{"from": (now - timedelta(hours=1)).isoformat(), "to": now.isoformat()},
)

# Every schema's example is read by its type, and what the type writes is read as the same.
unlike = []
for name, schema in document["components"]["schemas"].items():
    reference = {"$ref": "#/components/schemas/" + name}
    for example in schema["examples"]:
        value = decode(reference, example)
        if hasattr(value, "to_dict") and value != decode(reference, value.to_dict()):
            unlike.append(name)

print(
    json.dumps(
        {
            "places": places,
            "inside": inside,
            "types": [type(one).__name__ for one in (entrance, left, accesses[0], history[-1])],
            "stayed": (accesses[0].exit_timestamp - accesses[0].entrance_timestamp).total_seconds() >= 0,
            "missing": problem_of(lambda: owner.call("organization.get", organizationId=9007199254740000)),
            "malformed": problem_of(lambda: user.call("movement.trackPlace", {"movementType": "neither"})),
            "unlike": unlike,
        }
    )
)
