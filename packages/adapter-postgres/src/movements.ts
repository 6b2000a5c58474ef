import { type Opened, type OrganizationId, RETRY_KEY_LIFETIME } from "@sojourn/core"
import * as PgTypes from "@effect/sql-pg/PgTypes"
import * as Effect from "effect/Effect"
import type * as Exit from "effect/Exit"
import * as Option from "effect/Option"
import {
  byStay,
  closingOutcome,
  closingParameters,
  isNobodysClosing,
  type LocatedClosing,
  type Settled
} from "./closings.ts"
import { arrays, values } from "./columns.ts"
import { brokenKey, type Database, type Overtaken } from "./Database.ts"
import type { MovedRow } from "./facts.ts"
import type { Batched } from "./lane/Batched.ts"
import type { Modes } from "./Modes.ts"
import {
  isNobodysOpening,
  type LocatedOpening,
  openingOutcome,
  openingParameters,
  type OpeningRefusal
} from "./openings.ts"
import { FORGET, movingOf, type Whose } from "./stays.sql.ts"

/** A movement to be written. */
export type Moving = LocatedOpening | LocatedClosing

const whoseOf = <Item>(items: ReadonlyArray<Item>, isNobodys: (item: Item) => boolean): Whose =>
  items.length === 0 ? "none" : items.every(isNobodys) ? "nobody" : "anybody"

/**
 * Movements are written by one statement: it finds the facts, writes what the rule allows on them, and answers both. The
 * answer is then the rule's own on those facts: SQL only keeps from being written what it would refuse. Where the two
 * disagree somebody else was quicker, and the movement runs again on what is there now.
 */
export const movements = (db: Database, modes: Modes): Batched<Moving, Opened | Settled, OpeningRefusal> => ({
  operation: "track movements",
  run: (asked) => {
    const entering: Array<number> = []
    const leaving: Array<number> = []
    asked.forEach(({ _tag }, at) => (_tag === "Opening" ? entering : leaving).push(at))
    const openings = entering.map((at) => asked[at] as LocatedOpening)
    const closings = leaving
      .sort((one, other) => byStay(asked[one] as LocatedClosing, asked[other] as LocatedClosing))
      .map((at) => asked[at] as LocatedClosing)
    const opening = whoseOf(openings, (item) => isNobodysOpening(item, modes))
    const closing = whoseOf(closings, (item) => isNobodysClosing(item, modes))
    const isAlone = asked.length === 1
    const columns = isAlone ? values : arrays
    return Effect.map(
      db.run<MovedRow>(movingOf(opening, closing, isAlone), [
        ...openingParameters(openings, opening, columns),
        ...closingParameters(closings, closing, columns)
      ]),
      (rows) => {
        const found: Array<MovedRow | undefined> = asked.map(() => undefined)
        for (const row of rows) {
          const at = row.n > 0 ? entering[row.n - 1]! : leaving[-row.n - 1]!
          found[at] = row
          const mode = row.tracking_mode ?? undefined
          if (mode !== undefined) modes.learn(organizationOf(asked[at]!), mode)
        }
        return asked.map((moving, at): Exit.Exit<Opened | Settled, OpeningRefusal | Overtaken> =>
          moving._tag === "Opening" ? openingOutcome(moving, found[at], opening) : closingOutcome(moving, found[at])
        )
      }
    )
  },
  // Its key was used before, by somebody who was quicker or a day ago: the one is found next time, the other forgotten.
  mend: (moving, error) =>
    moving._tag === "Opening" && brokenKey(error) === "entrance_retry_key"
      ? Effect.as(
          db.run(FORGET, [
            moving.organizationId,
            moving.placeId,
            Option.getOrNull(moving.opening.retryKey),
            PgTypes.timestamptz(moving.opening.claim.now - RETRY_KEY_LIFETIME)
          ]),
          true
        )
      : Effect.succeed(false)
})

const organizationOf = (moving: Moving): OrganizationId =>
  moving._tag === "Opening" ? moving.organizationId : moving.closing.stay.organizationId
