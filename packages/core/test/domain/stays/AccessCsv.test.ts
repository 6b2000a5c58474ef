/** Accesses as lines of CSV. */
import { assert, it } from "@effect/vitest"
import {
  accessCsv,
  type AccessCsv,
  type AuthenticatedAccess,
  OrganizationId,
  OrganizationPremises,
  OrgAuthServerId,
  PlaceId,
  PlacePremises,
  Timestamp
} from "../../../src/index.ts"

const organizationId = OrganizationId.make(1n)
const whole = OrganizationPremises(organizationId)
const place = PlacePremises(PlaceId.make(2n))

const accessAt = (premises: typeof whole | typeof place, person: string): AuthenticatedAccess => ({
  id: 5n as never,
  orgAuthServerId: OrgAuthServerId.make(person),
  stay: {
    _tag: "ClosedStay",
    id: 3n as never,
    organizationId,
    premises,
    entrance: Timestamp(Date.parse("2026-11-28T16:05:09.123Z")),
    exit: Timestamp(Date.parse("2026-11-28T23:00:00Z"))
  }
})

/** The line of an access. */
const lineOf = ({ line }: AccessCsv, access: AuthenticatedAccess): string => {
  const pieces: Array<string> = []
  line(access, (piece) => void pieces.push(piece))
  return pieces.join("")
}

it("the accesses of an organization name their places, and have local times", () => {
  const csv = accessCsv(whole, "Europe/Berlin")
  assert.strictEqual(
    csv.header,
    "\ufefforganizationId,placeId,id,entranceTimestamp,exitTimestamp,orgAuthServerId,entranceLocal,exitLocal\r\n"
  )
  const times = "2026-11-28T16:05:09.123Z,2026-11-28T23:00:00.000Z"
  const local = "2026-11-28 17:05:09,2026-11-29 00:00:00"
  assert.strictEqual(lineOf(csv, accessAt(whole, 'a "b"')), `1,,5,${times},"a ""b""",${local}\r\n`)
  assert.strictEqual(lineOf(csv, accessAt(place, "=1+1")), `1,2,5,${times},'=1+1,${local}\r\n`)
})

it("the accesses of a place do not name the organization", () => {
  const csv = accessCsv(place, "UTC")
  assert.match(csv.header, /^\ufeffplaceId,id,/)
  assert.match(lineOf(csv, accessAt(place, "ada")), /^2,5,.*,ada,2026-11-28 16:05:09,2026-11-28 23:00:00\r\n$/)
})
