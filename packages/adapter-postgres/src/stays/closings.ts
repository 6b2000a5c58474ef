/** Exits as parameters of the statement on movements, and its rows as answers. */
import {
  type ClosedStay,
  type Closing,
  ExitNotMatched,
  type OpenStay,
  type OrgAuthServerId,
  PremisesNotFound,
  settle
} from "@sojourn/core"
import { Effect, Exit, Option, Result } from "effect"
import type { Columns } from "../database/columns.ts"
import { type Database, WriteConflict } from "../database/Database.ts"
import { requireRow, timestampOf } from "../database/rows.ts"
import { type FactsRow, factsOf, type MovedRow } from "./facts.ts"
import { placeIdOf, type PremisesDirectory } from "../database/PremisesDirectory.ts"
import { STAY_OF_EXIT } from "./stays.sql.ts"

interface SeenRow extends FactsRow {
  readonly person: OrgAuthServerId | null
  /** Null where there is no such stay. */
  readonly entered_at: Date | null
  /** Null while the stay is open. */
  readonly exited_at: Date | null
}

/** An exit that may close its stay. */
export interface LocatedClosing {
  readonly _tag: "Closing"
  readonly closing: Closing
  /** True once a statement for anonymous organizations did not close the stay: the statement has to look for a person. */
  readonly isLookedUp: boolean
}

/** The stay that was closed; none where the statement did not close it, for any reason. */
export type Settled = Option.Option<ClosedStay>

/** Orders exits by the keys of their stays. All batches lock stays in this order, which prevents deadlocks. */
export const byStay = ({ closing: { stay: one } }: LocatedClosing, { closing: { stay: other } }: LocatedClosing) =>
  one.stayId < other.stayId ? -1 : one.stayId > other.stayId ? 1 : 0

/** The parameters of exits for a statement of `anonymous.sql.ts`; those of `identified.sql.ts` have more behind them. */
export const closingParameters = (
  closings: ReadonlyArray<LocatedClosing>,
  { bigints, instants }: Columns
): ReadonlyArray<unknown> => [
  bigints(closings, ({ closing }) => closing.stay.organizationId),
  bigints(closings, ({ closing }) => placeIdOf(closing.premises)),
  bigints(closings, ({ closing }) => closing.stay.stayId),
  instants(closings, ({ closing }) => closing.claim.timestamp),
  instants(closings, ({ closing }) => closing.claim.now)
]

/** The parameters of exits for a statement of `identified.sql.ts`. */
export const identifiedClosingParameters = (
  closings: ReadonlyArray<LocatedClosing>,
  columns: Columns
): ReadonlyArray<unknown> => [
  ...closingParameters(closings, columns),
  columns.texts(closings, ({ closing }) => closing.userId),
  columns.texts(closings, ({ closing }) => closing.claim.orgAuthServerId)
]

/** The outcome of an exit, from its row; none for the row of a stay that was not closed. */
export const closingOutcome = (
  { closing: { premises, stay, claim } }: LocatedClosing,
  row: MovedRow | undefined
): Exit.Exit<Settled> => {
  const entrance = row?.entered_at ?? undefined
  if (row === undefined || entrance === undefined) return NOTHING_CLOSED
  const open: OpenStay = {
    _tag: "OpenStay",
    id: stay.stayId,
    organizationId: stay.organizationId,
    premises,
    orgAuthServerId: row.person ?? undefined,
    keyId: 0,
    entrance: timestampOf(entrance)
  }
  const settled = settle(factsOf(row), open, claim)
  // The exit is written: a refusal here means that the rule and the statement differ, which is a defect.
  return Result.isFailure(settled) ? Exit.die(settled.failure) : Exit.succeed(Option.some(settled.success))
}

const NOTHING_CLOSED: Exit.Exit<Settled> = Exit.succeed(Option.none())

/** Fails with the reason why an exit closed nothing, or returns the stay that an earlier exit closed. */
export const explain = Effect.fnUntraced(function* (
  db: Database,
  directory: PremisesDirectory,
  { premises, stay: locator, userId, claim }: Closing
) {
  const { organizationId, placeId } = yield* directory.require(premises)
  const rows = db.run<SeenRow>(STAY_OF_EXIT, [organizationId, placeId, locator.stayId, userId])
  const row = yield* requireRow(rows, () => new PremisesNotFound({ premises }))
  if (row.entered_at === null || organizationId !== locator.organizationId) return yield* new ExitNotMatched()
  const stay = { id: locator.stayId, organizationId, premises, orgAuthServerId: row.person ?? undefined }
  const entrance = timestampOf(row.entered_at)
  if (row.exited_at === null) {
    yield* Effect.fromResult(settle(factsOf(row), { _tag: "OpenStay", ...stay, keyId: 0, entrance }, claim))
    return yield* new WriteConflict()
  }
  const closed: ClosedStay = { _tag: "ClosedStay", ...stay, entrance, exit: timestampOf(row.exited_at) }
  return yield* Effect.fromResult(settle(factsOf(row), closed, claim))
})
