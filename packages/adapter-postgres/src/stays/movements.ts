import { type Opened, type OrganizationId, RETRY_KEY_LIFETIME } from "@sojourn/core"
import * as PgTypes from "@effect/sql-pg/PgTypes"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Option from "effect/Option"
import type { SqlError } from "effect/sql/SqlError"
import {
  byStay,
  closingOutcome,
  closingParameters,
  isNobodysClosing,
  type LocatedClosing,
  type Settled
} from "./closings.ts"
import { arrays, values } from "../database/columns.ts"
import { brokenKey, type Database, Overtaken } from "../database/Database.ts"
import type { MovedRow } from "./facts.ts"
import type { Batched } from "../batching/Batched.ts"
import type { Modes } from "./TrackingModeCache.ts"
import {
  isNobodysOpening,
  type LocatedOpening,
  openingOutcome,
  openingParameters,
  type OpeningRefusal
} from "./openings.ts"
import { ALONE, FORGET, togetherOf, type Whose } from "./stays.sql.ts"

/** A movement to be written. */
export type Moving = LocatedOpening | LocatedClosing

/** What came of one. */
type Outcome = Exit.Exit<Opened | Settled, OpeningRefusal | Overtaken>

const OVERTAKEN: Outcome = Exit.fail(new Overtaken())

const whoseOf = <Item>(items: ReadonlyArray<Item>, isNobodys: (item: Item) => boolean): Whose =>
  items.length === 0 ? "none" : items.every(isNobodys) ? "nobody" : "anybody"

/** What a row says of how an organization tracks is remembered. */
const learn = (modes: Modes, moving: Moving, { tracking_mode: mode }: MovedRow) => {
  if (mode !== undefined && mode !== null) modes.learn(organizationOf(moving), mode)
}

/** Writes an entrance that is alone. */
const enterAlone = (db: Database, modes: Modes, moving: LocatedOpening): Effect.Effect<Outcome, SqlError> => {
  const whose = isNobodysOpening(moving, modes) ? "nobody" : "anybody"
  return Effect.map(
    db.run<MovedRow>(ALONE.opening[whose], openingParameters([moving], whose, values)),
    ([row]): Outcome => {
      if (row === undefined && whose === "nobody") {
        // Why nothing was written that statement does not say. The one for anybody finds it.
        modes.forget(moving.organizationId)
        return OVERTAKEN
      }
      if (row !== undefined) learn(modes, moving, row)
      return openingOutcome(moving, row, whose)
    }
  )
}

/** Writes an exit that is alone. */
const leaveAlone = (db: Database, modes: Modes, moving: LocatedClosing): Effect.Effect<Outcome, SqlError> => {
  const whose = isNobodysClosing(moving, modes) ? "nobody" : "anybody"
  return Effect.map(
    db.run<MovedRow>(ALONE.closing[whose], closingParameters([moving], whose, values)),
    ([row]): Outcome => {
      if (row !== undefined) learn(modes, moving, row)
      return closingOutcome(moving, row)
    }
  )
}

/** A movement and its place among those that are asked for together. */
interface Placed<M> {
  readonly moving: M
  readonly at: number
}

/** Writes movements together. */
const runTogether = (
  db: Database,
  modes: Modes,
  asked: ReadonlyArray<Moving>
): Effect.Effect<ReadonlyArray<Outcome>, SqlError> => {
  const entering: Array<Placed<LocatedOpening>> = []
  const leaving: Array<Placed<LocatedClosing>> = []
  asked.forEach((moving, at) =>
    moving._tag === "Opening" ? entering.push({ moving, at }) : leaving.push({ moving, at })
  )
  leaving.sort((one, other) => byStay(one.moving, other.moving))
  const openings = entering.map(({ moving }) => moving)
  const closings = leaving.map(({ moving }) => moving)
  const opening = whoseOf(openings, (item) => isNobodysOpening(item, modes))
  const closing = whoseOf(closings, (item) => isNobodysClosing(item, modes))
  return Effect.map(
    db.run<MovedRow>(togetherOf(opening, closing), [
      ...openingParameters(openings, opening, arrays),
      ...closingParameters(closings, closing, arrays)
    ]),
    (rows) => {
      const found: Array<MovedRow | undefined> = asked.map(() => undefined)
      for (const row of rows) {
        const { moving, at } = row.n > 0 ? entering[row.n - 1]! : leaving[-row.n - 1]!
        found[at] = row
        learn(modes, moving, row)
      }
      return asked.map((moving, at) =>
        moving._tag === "Opening" ? openingOutcome(moving, found[at], opening) : closingOutcome(moving, found[at])
      )
    }
  )
}

/**
 * Movements are written by one statement: it finds the facts, writes what the rule allows on them, and answers both. The
 * answer is then the rule's own on those facts: SQL only keeps from being written what it would refuse. Where the two
 * disagree somebody else was quicker, and the movement runs again on what is there now.
 */
export const movements = (db: Database, modes: Modes): Batched<Moving, Opened | Settled, OpeningRefusal> => ({
  operation: "track movements",
  run: (asked) => {
    const [first] = asked
    if (first === undefined) return Effect.succeed([])
    if (asked.length > 1) return runTogether(db, modes, asked)
    const alone = first._tag === "Opening" ? enterAlone(db, modes, first) : leaveAlone(db, modes, first)
    return Effect.map(alone, (outcome) => [outcome])
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
