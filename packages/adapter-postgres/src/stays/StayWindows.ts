/**
 * The readings of the port `StayLog` in PostgreSQL that are of a window of time.
 *
 * One index finds the stays of a place by their entrances. An index over all places of an organization would make the exit of a person a
 * tenth dearer, so the stays of several places are read by spans of time: short enough to hold few more than are asked for, and all of them.
 */
import {
  type ClosedStay,
  ClosedStayOrder,
  LONGEST_WINDOW_MS,
  mayListInside,
  type OrganizationId,
  type OrgAuthServerId,
  PremisesNotFound,
  type StayId,
  type StayLog,
  type Timestamp,
  type TrackingMode,
  TwoGenerationCache
} from "@sojourn/core"
import * as PgTypes from "@effect/sql-pg/PgTypes"
import { Effect, Option } from "effect"
import { arrays } from "../database/columns.ts"
import type { Database } from "../database/Database.ts"
import { readAs, type ReaderColumns } from "../database/levels.ts"
import { type PremisesDirectory, premisesOf } from "../database/PremisesDirectory.ts"
import type { Storing } from "../database/Storing.ts"
import { CLOSED_IN_WINDOW, CLOSED_IN_WINDOW_BY_PEOPLE, TIME_PER_PERSON_INSIDE } from "./windows.sql.ts"

/** In how many milliseconds an organization is expected to have one stay, before more is known of it. */
const FIRST_INTERVAL_MS = 30_000

/** How many times as many stays as are asked for a span is to hold: so a second one is seldom needed. */
const SPAN_MARGIN = 1.1

/** A span with more stays than so many times those that are asked for is too long. */
const SPAN_EXCESS = 4

/** How many times as long or as short the interval of stays becomes at most after a span that held none, or too many. */
const INTERVAL_FACTOR = 8

/** The number of organizations whose last intervals are always known. */
const KNOWN_INTERVALS = 1_000

/** What the readings of windows answer: the stays by their columns, which are null where nothing was found. */
interface WindowRow extends ReaderColumns {
  readonly tracking_mode: TrackingMode
  readonly places: ReadonlyArray<bigint> | null
  readonly ids: ReadonlyArray<StayId>
  readonly people: ReadonlyArray<OrgAuthServerId>
  readonly entrances: ReadonlyArray<Timestamp>
  readonly exits: ReadonlyArray<Timestamp>
}

/** Makes the readings of windows. */
export const makeStayWindows = (db: Database, directory: PremisesDirectory, storing: Storing) => {
  /** By organization, how many milliseconds of the last span there were for each of its stays. It decides on cost alone. */
  const intervals = new TwoGenerationCache<OrganizationId, number>(KNOWN_INTERVALS)

  return {
    closedInWindow: (administratorId, { premises, isOwn, from, to, people, after, most }) =>
      storing.gen("list closed stays of a window", function* () {
        const key = yield* directory.require(premises)
        const { organizationId } = key
        const isOfPlaces = premises._tag === "OrganizationPremises" && !isOwn
        const isSpread = isOfPlaces || people !== undefined
        const text = people === undefined ? CLOSED_IN_WINDOW : CLOSED_IN_WINDOW_BY_PEOPLE
        const ofPeople = people === undefined ? [] : [arrays.texts(people, (person) => person)]

        /** Reads stays after a position and before an instant, `limit` in all, in no order. */
        const read = Effect.fnUntraced(function* (
          position: { readonly entrance: number; readonly id: bigint },
          { end, missing, limit }: { readonly end: number; readonly missing: number; readonly limit: bigint }
        ) {
          const [row] = yield* db.run<WindowRow>(text, [
            organizationId,
            key.placeId,
            administratorId,
            isOfPlaces,
            PgTypes.timestamptz(position.entrance),
            position.id,
            PgTypes.timestamptz(end),
            BigInt(missing),
            limit,
            ...ofPeople
          ])
          if (row === undefined) return yield* new PremisesNotFound({ premises })
          yield* Effect.fromResult(mayListInside(Option.fromNullishOr(row.permission), row.tracking_mode, premises))
          const { places, ids, people, entrances, exits } = row
          return (places ?? []).map((placeId, i): ClosedStay => ({
            _tag: "ClosedStay",
            id: ids[i]!,
            organizationId,
            premises: premisesOf({ organizationId, placeId }),
            orgAuthServerId: people[i]!,
            entrance: entrances[i]!,
            exit: exits[i]!
          }))
        })

        const known = isSpread && people === undefined ? intervals : undefined
        let interval = known === undefined ? to - from : (known.get(organizationId) ?? FIRST_INTERVAL_MS)
        let position: { readonly entrance: number; readonly id: bigint } = after ?? { entrance: from, id: 0n }
        const stays: Array<ClosedStay> = []
        while (stays.length < most && position.entrance < to) {
          const missing = most - stays.length
          const end = Math.min(position.entrance + Math.ceil(interval * missing * SPAN_MARGIN), to)
          const span = end - position.entrance
          const limit = isSpread && span > 1 ? missing * SPAN_EXCESS : Number.MAX_SAFE_INTEGER
          const found = yield* read(position, { end, missing, limit: BigInt(limit) })
          if (found.length >= limit) {
            interval = span / missing / INTERVAL_FACTOR
            continue
          }
          stays.push(...found.sort(ClosedStayOrder).slice(0, missing))
          position = { entrance: end, id: 0n }
          interval = Math.min(span / found.length, interval * INTERVAL_FACTOR, LONGEST_WINDOW_MS)
        }
        known?.set(organizationId, interval)
        return stays
      }),

    timePerPersonInside: (administratorId, premises, { from, to }) =>
      storing.gen("sum the time per person inside a window", function* () {
        const key = yield* directory.require(premises)
        const rows = db.run<ReaderColumns & { readonly person: OrgAuthServerId | null; readonly milliseconds: bigint }>(
          TIME_PER_PERSON_INSIDE,
          [key.organizationId, key.placeId, administratorId, PgTypes.timestamptz(from), PgTypes.timestamptz(to)]
        )
        return timesOf(yield* readAs(rows, "viewer", () => new PremisesNotFound({ premises })))
      })
  } satisfies Pick<StayLog["Service"], "closedInWindow" | "timePerPersonInside">
}

/** The times of people in the order of reports: by code units, as JavaScript compares text, and no collation of PostgreSQL does. */
export const timesOf = (
  rows: ReadonlyArray<{ readonly person: OrgAuthServerId | null; readonly milliseconds: bigint }>
) =>
  rows
    .flatMap(({ person, milliseconds }) =>
      person === null ? [] : [{ orgAuthServerId: person, milliseconds: Number(milliseconds) }]
    )
    .sort((one, other) => (one.orgAuthServerId < other.orgAuthServerId ? -1 : 1))
