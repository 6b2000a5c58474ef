/** Rows of accesses: how they are read, and which of them an organization takes. */
import { assert, describe, it } from "@effect/vitest"
import { Result } from "effect"
import {
  type AccessRow,
  accessAdmission,
  type AccessDraft,
  type AccessImportFacts,
  importKeyOf,
  LARGEST_IMPORT_LAG_MS,
  type OrganizationId,
  type PlaceId,
  readAccess
} from "../../../src/index.ts"
import { after, NOW } from "@sojourn/testing"

const times = { entranceTimestamp: "2026-03-01T08:00:00Z", exitTimestamp: "2026-03-01T09:00:00+01:00" }

/** What is read of a row, or why it is not. */
const read = (row: AccessRow): unknown => Result.merge(readAccess(3, row))

describe("a row of an access", () => {
  it("is read of texts and of values of JSON", () => {
    const instant = Date.UTC(2026, 2, 1, 8)
    const read_ = { line: 3, entrance: instant, exit: instant, placeId: undefined, placeName: undefined }
    assert.deepEqual(read({ ...times, placeId: "", orgAuthServerId: null, key: undefined }), {
      ...read_,
      orgAuthServerId: undefined,
      key: undefined
    })
    assert.deepInclude(read({ ...times, placeId: "7" }), { placeId: 7n })
    assert.deepInclude(read({ ...times, placeId: 7, orgAuthServerId: "ada", key: "k".repeat(64) }), {
      placeId: 7n,
      orgAuthServerId: "ada",
      key: "k".repeat(64)
    })
    assert.deepInclude(read({ ...times, placeName: "Hall" }), { placeName: "Hall" })
  })

  it.each<[AccessRow, string]>([
    [{ exitTimestamp: times.exitTimestamp }, "entranceTimestamp is missing"],
    [{ entranceTimestamp: times.entranceTimestamp, exitTimestamp: "" }, "exitTimestamp is missing"],
    [{ ...times, exitTimestamp: 1 }, "exitTimestamp is no RFC 3339 timestamp with seconds and an offset"],
    [
      { ...times, entranceTimestamp: "2026-03-01" },
      "entranceTimestamp is no RFC 3339 timestamp with seconds and an offset"
    ],
    [{ ...times, placeId: "0" }, "placeId is no id of a place"],
    [{ ...times, placeId: 1.5 }, "placeId is no id of a place"],
    [{ ...times, placeId: "9007199254740992" }, "placeId is no id of a place"],
    [{ ...times, placeName: 5 }, "placeName is no text"],
    [{ ...times, placeId: 1, placeName: "Hall" }, "it has both placeId and placeName"],
    [{ ...times, orgAuthServerId: "a".repeat(257) }, "orgAuthServerId is no text of 1 to 256 characters"],
    [{ ...times, orgAuthServerId: 5 }, "orgAuthServerId is no text of 1 to 256 characters"],
    [{ ...times, key: "k".repeat(65) }, "key is no text of 1 to 64 characters"]
  ])("is refused: %j", (row, reason) => {
    assert.strictEqual(read(row), reason)
  })
})

const organizationId = 1n as OrganizationId
const places = [
  { id: 5n as PlaceId, name: "Hall" },
  { id: 6n as PlaceId, name: "Room" },
  { id: 7n as PlaceId, name: "Room" }
]

const admitted = (draft: Partial<AccessDraft>, facts: Partial<AccessImportFacts> = {}): object | string =>
  Result.merge(
    accessAdmission(
      { organizationId, mode: "anonymous", places, ...facts },
      NOW
    )({
      line: 1,
      entrance: after(NOW, -60_000),
      exit: NOW,
      ...draft
    })
  )

describe("an organization", () => {
  const known = { mode: "authenticated" } as const
  const ada = "ada" as NonNullable<AccessDraft["orgAuthServerId"]>

  it("takes accesses of its own and of its places", () => {
    assert.deepInclude(admitted({}), { placeId: undefined, orgAuthServerId: undefined, key: undefined })
    assert.deepInclude(admitted({ placeId: 6n as PlaceId }), { placeId: 6n })
    assert.deepInclude(admitted({ placeName: "Hall" }), { placeId: 5n })
    assert.deepInclude(admitted({ orgAuthServerId: ada, key: "k" }, known), {
      orgAuthServerId: "ada",
      key: importKeyOf(organizationId, "k")
    })
    assert.deepInclude(admitted({ exit: after(NOW, 300_000) }), { exit: after(NOW, 300_000) })
    assert.deepInclude(admitted({ entrance: after(NOW, -LARGEST_IMPORT_LAG_MS) }), { exit: NOW })
  })

  it.each<[string, Partial<AccessDraft>, Partial<AccessImportFacts>?]>([
    ["the exit is before the entrance", { exit: after(NOW, -60_001) }],
    ["exitTimestamp is more than 5 minutes in the future", { exit: after(NOW, 300_001) }],
    ["entranceTimestamp is more than 30 years in the past", { entrance: after(NOW, -LARGEST_IMPORT_LAG_MS - 1) }],
    ["orgAuthServerId is missing: the organization knows its people", {}, known],
    ["the organization is anonymous: leave out orgAuthServerId", { orgAuthServerId: ada }],
    ["the organization has no place of this placeId", { placeId: 8n as PlaceId }],
    ["the organization has no place of this placeName", { placeName: "hall" }],
    ["several places have this placeName", { placeName: "Room" }]
  ])("refuses: %s", (reason, draft, facts) => {
    assert.strictEqual(admitted(draft, facts), reason)
  })
})

describe("a key", () => {
  it("is kept as a hash, which differs between keys and organizations", () => {
    const keys = [
      importKeyOf(organizationId, "a"),
      importKeyOf(organizationId, "b"),
      importKeyOf(2n as OrganizationId, "a")
    ]
    assert.strictEqual(new Set(keys).size, 3)
    for (const key of keys) assert.match(key, /^[0-9a-f]{32}$/)
  })
})
