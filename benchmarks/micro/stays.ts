import {
  admit,
  type ClosedStay,
  formatTimestamp,
  LARGEST_LEAD,
  type MovementClaim,
  type MovementFacts,
  type OpenStay,
  OrganizationId,
  OrganizationPremises,
  OrgAuthServerId,
  parseTimestamp,
  settle,
  StayId,
  Timestamp
} from "@sojourn/core"
import { Option } from "effect"
import { allows, finds, findsNothing, refuses, type Subject, writes } from "./Subject.ts"

export const NOW = Timestamp(Date.parse("2026-03-01T08:00:00.000Z"))
export const ORGANIZATION = OrganizationId.make(7n)
const person = OrgAuthServerId.make("uid=ada,ou=people,dc=example,dc=org")

export const NOBODY_IN_PARTICULAR: MovementFacts = { mode: "anonymous", linked: Option.none() }
const linked: MovementFacts = { mode: "authenticated", linked: Option.some(person) }
const unlinked: MovementFacts = { mode: "authenticated", linked: Option.none() }

const claim = (timestamp?: Timestamp, orgAuthServerId?: OrgAuthServerId): MovementClaim => ({
  timestamp,
  orgAuthServerId,
  now: NOW
})

export const INSIDE: OpenStay = {
  _tag: "OpenStay",
  id: StayId.make(123_456_789n),
  organizationId: ORGANIZATION,
  premises: OrganizationPremises(ORGANIZATION),
  keyId: 1,
  entrance: Timestamp(NOW - 3_600_000)
}

/** The rules of movements, and of the moments that they tell. */
export const stays = (): ReadonlyArray<Subject> => {
  const known: OpenStay = { ...INSIDE, orgAuthServerId: person }
  const { keyId: _, ...rest } = INSIDE
  const left: ClosedStay = { ...rest, _tag: "ClosedStay", exit: NOW }
  const nowhere = claim()
  const told = claim(Timestamp(NOW - 1000), person)
  const ahead = claim(Timestamp(NOW + LARGEST_LEAD + 1))
  return [
    allows("admit: nobody in particular", () => admit(NOBODY_IN_PARTICULAR, nowhere)),
    allows("admit: a person who says who they are and when", () => admit(linked, told)),
    refuses("admit: refused, not linked", "NotLinked", () => admit(unlinked, told)),
    refuses("admit: refused, in the future", "TimestampInFuture", () => admit(NOBODY_IN_PARTICULAR, ahead)),
    allows("settle: nobody in particular", () => settle(NOBODY_IN_PARTICULAR, INSIDE, nowhere)),
    allows("settle: a person", () => settle(linked, known, told)),
    allows("settle: the same exit again", () => settle(NOBODY_IN_PARTICULAR, left, nowhere)),
    refuses("settle: refused, left at another time", "ExitNotMatched", () =>
      settle(NOBODY_IN_PARTICULAR, left, claim(Timestamp(NOW - 1)))
    ),
    finds("timestamp: read, in UTC", () => parseTimestamp("2026-03-01T08:00:00.000Z")),
    finds("timestamp: read, with an offset", () => parseTimestamp("2026-03-01T09:00:00.123456+01:00")),
    findsNothing("timestamp: refused, no such day", () => parseTimestamp("2026-02-29T08:00:00Z")),
    writes("timestamp: written", "2026-03-01T08:00:00.000Z", () => formatTimestamp(NOW))
  ]
}
