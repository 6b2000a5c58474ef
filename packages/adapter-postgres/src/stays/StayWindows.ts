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
  type TrackingMode,
  TwoGenerationCache
} from "@sojourn/core"
import * as PgTypes from "@effect/sql-pg/PgTypes"
import { Effect, Option } from "effect"
import { arrays } from "../database/columns.ts"
import type { Database } from "../database/Database.ts"
import { readAs, type ReaderColumns } from "../database/levels.ts"
import { type PremisesDirectory, premisesOf } from "../database/PremisesDirectory.ts"
import { timestampOf } from "../database/rows.ts"
import type { Storing } from "../database/Storing.ts"
import { CLOSED_IN_WINDOW, CLOSED_IN_WINDOW_BY_PEOPLE, TIME_PER_PERSON_INSIDE } from "./windows.sql.ts"

/** The first span of an organization, in milliseconds. */
const FIRST_SPAN_MS = 3_600_000

/** How many times as long or as short the next span is that holds too few stays or too many. */
const SPAN_FACTOR = 8

/** A span with more stays than so many times those that are asked for is too long. */
const SPAN_EXCESS = 4

/** The number of organizations whose last spans are always known. */
const KNOWN_SPANS = 1_000

/** What the readings of windows answer a row with: nulls where nothing was found. */
interface WindowRow extends ReaderColumns {
  readonly tracking_mode: TrackingMode
  readonly place_id: bigint | null
  readonly id: StayId
  readonly person: OrgAuthServerId
  readonly entered_at: Date
  readonly exited_at: Date
}

/** Makes the readings of windows. */
export const makeStayWindows = (db: Database, directory: PremisesDirectory, storing: Storing) => {
  /** By organization, the length of the span that held about as many stays as were asked for. It decides on cost alone. */
  const spans = new TwoGenerationCache<OrganizationId, number>(KNOWN_SPANS)

  return {
    closedInWindow: (administratorId, { premises, isOwn, from, to, people, after, most }) =>
      storing.gen("list closed stays of a window", function* () {
        const key = yield* directory.require(premises)
        const { organizationId } = key
        const isOfPlaces = premises._tag === "OrganizationPremises" && !isOwn
        const isSpread = isOfPlaces || people !== undefined
        const text = people === undefined ? CLOSED_IN_WINDOW : CLOSED_IN_WINDOW_BY_PEOPLE
        const ofPeople = people === undefined ? [] : [arrays.texts(people, (person) => person)]

        /** The stays after a position and before an instant, `limit` in all: in no order, unless they are of one place and not of some people. */
        const read = Effect.fnUntraced(function* (
          position: { readonly entrance: number; readonly id: bigint },
          { end, missing, limit }: { readonly end: number; readonly missing: number; readonly limit: bigint }
        ) {
          const rows = yield* db.run<WindowRow>(text, [
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
          const [reader] = rows
          if (reader === undefined) return yield* new PremisesNotFound({ premises })
          yield* Effect.fromResult(
            mayListInside(Option.fromNullishOr(reader.permission), reader.tracking_mode, premises)
          )
          return rows.flatMap((row): ClosedStay | [] =>
            row.place_id === null
              ? []
              : {
                  _tag: "ClosedStay",
                  id: row.id,
                  organizationId,
                  premises: premisesOf({ organizationId, placeId: row.place_id }),
                  orgAuthServerId: row.person,
                  entrance: timestampOf(row.entered_at),
                  exit: timestampOf(row.exited_at)
                }
          )
        })

        let span = isSpread && people === undefined ? (spans.get(organizationId) ?? FIRST_SPAN_MS) : LONGEST_WINDOW_MS
        let position: { readonly entrance: number; readonly id: bigint } = after ?? { entrance: from, id: 0n }
        const stays: Array<ClosedStay> = []
        while (stays.length < most && position.entrance < to) {
          const missing = most - stays.length
          const end = Math.min(position.entrance + span, to)
          const mayShorten = isSpread && end > position.entrance + 1
          const limit = mayShorten ? missing * SPAN_EXCESS : Number.MAX_SAFE_INTEGER
          const found = yield* read(position, { end, missing, limit: BigInt(limit) })
          if (found.length >= limit) {
            span = Math.max(1, Math.floor((end - position.entrance) / SPAN_FACTOR))
            continue
          }
          for (const stay of found.sort(ClosedStayOrder).slice(0, missing)) stays.push(stay)
          position = { entrance: end, id: 0n }
          if (found.length * SPAN_FACTOR < missing * SPAN_EXCESS) span = Math.min(span * SPAN_FACTOR, LONGEST_WINDOW_MS)
        }
        if (isSpread && people === undefined) spans.set(organizationId, span)
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
