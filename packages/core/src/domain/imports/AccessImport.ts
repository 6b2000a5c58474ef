/** Accesses that another system recorded: how a row is read, and which rows an organization takes. */
import { sha256 } from "@noble/hashes/sha2.js"
import { bytesToHex, utf8ToBytes } from "@noble/hashes/utils.js"
import * as Option from "effect/Option"
import * as Result from "effect/Result"
import * as Schema from "effect/Schema"
import { LARGEST_ISSUED_ID, type OrganizationId, OrgAuthServerId, type PlaceId, Text, textOf } from "../shared/Ids.ts"
import { branded } from "../shared/branded.ts"
import { LARGEST_LAG_MS, LARGEST_LEAD, parseTimestamp, type Timestamp } from "../shared/Timestamp.ts"
import type { TrackingMode } from "../shared/TrackingMode.ts"

/** The most reasons that an import answers. */
export const MAX_REASONS = 1_000

/** How far in the past an entrance may lie: thirty years. A clock that was never set is at 1970. */
export const LARGEST_IMPORT_LAG_MS = 3 * LARGEST_LAG_MS

/** What a row may name, in the order of the documentation. */
export const ACCESS_COLUMNS = [
  "entranceTimestamp",
  "exitTimestamp",
  "placeId",
  "placeName",
  "orgAuthServerId",
  "key"
] as const
export type AccessColumn = (typeof ACCESS_COLUMNS)[number]

/** The columns of a row: texts, or values of JSON. */
export type AccessRow = { readonly [column in AccessColumn]?: unknown }

/** The columns that every row needs. */
export const NEEDED_ACCESS_COLUMNS = ["entranceTimestamp", "exitTimestamp"] as const

/** What stands for the `key` of an access in a store, which keeps no key that may name a person: 32 hexadecimal digits. */
export const ImportKey = Text.pipe(branded("ImportKey"))
export type ImportKey = typeof ImportKey.Type

/** The half of a SHA-256, so that no two keys are taken for one. */
const KEY_BYTES = 16

export const importKeyOf = (organizationId: OrganizationId, key: string): ImportKey =>
  bytesToHex(sha256(utf8ToBytes(`${organizationId} ${key}`)).subarray(0, KEY_BYTES)) as ImportKey

/** A row that was read. */
export interface AccessDraft {
  /** The number of the row, from 1. */
  readonly line: number
  readonly entrance: Timestamp
  readonly exit: Timestamp
  readonly placeId?: PlaceId | undefined
  readonly placeName?: string | undefined
  readonly orgAuthServerId?: OrgAuthServerId | undefined
  readonly key?: string | undefined
}

/** A row that is refused, and why. */
export interface RefusedRow {
  readonly line: number
  readonly reason: string
}

/** The result of an import. */
export interface ImportedAccesses {
  readonly imported: number
  /** How many have keys that were imported before. */
  readonly skipped: number
  /** The refused rows in the order of the file. */
  readonly refused: ReadonlyArray<RefusedRow>
}

type Read<A> = Result.Result<A, string>

const isPerson = Schema.is(OrgAuthServerId)
const isKey = Schema.is(textOf(1, 64))

const instantOf = (column: AccessColumn, value: unknown): Read<Timestamp> => {
  if (value === undefined) return Result.fail(`${column} is missing`)
  const instant = typeof value === "string" ? parseTimestamp(value) : Option.none()
  return Option.isSome(instant)
    ? Result.succeed(instant.value)
    : Result.fail(`${column} is no RFC 3339 timestamp with seconds and an offset`)
}

const placeIdOf = (value: unknown): Read<PlaceId | undefined> => {
  if (value === undefined) return Result.succeed(undefined)
  const text = typeof value === "number" ? String(value) : value
  const isId = typeof text === "string" && /^[1-9]\d{0,15}$/.test(text) && BigInt(text) <= LARGEST_ISSUED_ID
  return isId ? Result.succeed(BigInt(text) as PlaceId) : Result.fail("placeId is no id of a place")
}

/** Reads a row. A column that is left out, empty or null is none. */
export const readAccess = (line: number, row: AccessRow): Read<AccessDraft> => {
  const given = (column: AccessColumn) => {
    const value = row[column]
    return value === "" || value === null ? undefined : value
  }
  const entrance = instantOf("entranceTimestamp", given("entranceTimestamp"))
  if (Result.isFailure(entrance)) return Result.fail(entrance.failure)
  const exit = instantOf("exitTimestamp", given("exitTimestamp"))
  if (Result.isFailure(exit)) return Result.fail(exit.failure)
  const placeId = placeIdOf(given("placeId"))
  if (Result.isFailure(placeId)) return Result.fail(placeId.failure)
  const placeName = given("placeName")
  if (placeName !== undefined && typeof placeName !== "string") return Result.fail("placeName is no text")
  if (placeName !== undefined && placeId.success !== undefined) return Result.fail("it has both placeId and placeName")
  const orgAuthServerId = given("orgAuthServerId")
  if (orgAuthServerId !== undefined && !isPerson(orgAuthServerId)) {
    return Result.fail("orgAuthServerId is no text of 1 to 256 characters")
  }
  const key = given("key")
  if (key !== undefined && !isKey(key)) return Result.fail("key is no text of 1 to 64 characters")
  return Result.succeed({
    line,
    entrance: entrance.success,
    exit: exit.success,
    placeId: placeId.success,
    placeName,
    orgAuthServerId,
    key
  })
}

/** What decides about rows: how the organization tracks, and its places with their names. */
export interface AccessImportFacts {
  readonly organizationId: OrganizationId
  readonly mode: TrackingMode
  readonly places: ReadonlyArray<{ readonly id: PlaceId; readonly name: string }>
}

/** A stay that is imported. */
export interface ImportedStay {
  readonly line: number
  /** None: the organization as a whole. */
  readonly placeId: PlaceId | undefined
  readonly orgAuthServerId: OrgAuthServerId | undefined
  readonly entrance: Timestamp
  readonly exit: Timestamp
  readonly key: ImportKey | undefined
}

/** Makes the rule that admits rows into an organization (spec: imports#rows). */
export const accessAdmission = ({ organizationId, mode, places }: AccessImportFacts, now: Timestamp) => {
  const ids = new Set(places.map(({ id }) => id))
  /** Undefined: several places have the name. */
  const byName = new Map<string, PlaceId | undefined>()
  for (const { id, name } of places) byName.set(name, byName.has(name) ? undefined : id)

  const placeOf = ({ placeId, placeName }: AccessDraft): Read<PlaceId | undefined> => {
    if (placeName !== undefined) {
      if (!byName.has(placeName)) return Result.fail("the organization has no place of this placeName")
      const id = byName.get(placeName)
      return id === undefined ? Result.fail("several places have this placeName") : Result.succeed(id)
    }
    return placeId === undefined || ids.has(placeId)
      ? Result.succeed(placeId)
      : Result.fail("the organization has no place of this placeId")
  }

  return (draft: AccessDraft): Read<ImportedStay> => {
    const { line, entrance, exit, orgAuthServerId, key } = draft
    if (exit < entrance) return Result.fail("the exit is before the entrance")
    if (exit > now + LARGEST_LEAD) return Result.fail("exitTimestamp is more than 5 minutes in the future")
    if (entrance < now - LARGEST_IMPORT_LAG_MS)
      return Result.fail("entranceTimestamp is more than 30 years in the past")
    if (mode === "authenticated" && orgAuthServerId === undefined) {
      return Result.fail("orgAuthServerId is missing: the organization knows its people")
    }
    if (mode === "anonymous" && orgAuthServerId !== undefined) {
      return Result.fail("the organization is anonymous: leave out orgAuthServerId")
    }
    return Result.map(placeOf(draft), (placeId) => ({
      line,
      placeId,
      orgAuthServerId,
      entrance,
      exit,
      key: key === undefined ? undefined : importKeyOf(organizationId, key)
    }))
  }
}
