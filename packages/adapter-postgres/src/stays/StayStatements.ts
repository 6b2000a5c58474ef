import type { ClosedStay, Opened, PermissionTooLow, PremisesNotFound } from "@sojourn/core"
import type { Latch } from "effect"
import { type BulkStatement, type Operation, single } from "../database/BulkStatement.ts"
import type { Database } from "../database/Database.ts"
import type { Storing } from "../database/Storing.ts"
import type { Settled } from "./closings.ts"
import { type CounterReading, counters } from "./counters.ts"
import { type Listing, listings } from "./listings.ts"
import { type Moving, movements, organizationOf } from "./movements.ts"
import type { EndsOthers, OpeningRefusal } from "./openings.ts"
import type { TrackingModeCache } from "./TrackingModeCache.ts"

/** The frequent statements of the stay log. Each does for many items at once what it does for one. */
export interface StayStatements {
  readonly move: BulkStatement<Moving, Opened | Settled, OpeningRefusal | EndsOthers>
  readonly count: BulkStatement<CounterReading, number, PremisesNotFound | PermissionTooLow>
  readonly list: BulkStatement<Listing, ReadonlyArray<ClosedStay>, never>
}

export const makeStayStatements = (db: Database, modes: TrackingModeCache, appended: Latch.Latch): StayStatements => ({
  move: movements(db, modes, appended),
  count: counters(db),
  list: listings(db)
})

/** The operations of the stay log on one item each; of movements and readings at the same moment, some may share a statement. */
export type StayOperations = { readonly [Name in keyof StayStatements]: Operation<StayStatements[Name]> }

/** Runs each item by a statement of its own. */
export const oneByOne = ({ move, count, list }: StayStatements, storing: Storing): StayOperations => ({
  move: single(move, storing, organizationOf),
  count: single(count, storing),
  list: single(list, storing)
})
