import { type ClosedStay, ClosedStayOrder, type StayId } from "@sojourn/core"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import { arrays } from "../database/columns.ts"
import type { Database } from "../database/Database.ts"
import { timestampOf } from "./facts.ts"
import type { Batched } from "../batching/Batched.ts"
import { type PremisesKey, premisesOf } from "../database/PremisesDirectory.ts"
import { CLOSED_BY_IDS } from "./reads.sql.ts"

/** Somebody who asks for closed stays of nobody by their ids. */
export interface Listing extends PremisesKey {
  readonly ids: ReadonlyArray<StayId>
}

/** How long it takes to look for a stay, in milliseconds. */
const LOOKING = 0.005

interface ListedRow {
  /** Which of all ids that were asked for, from 1. */
  readonly n: number
  readonly entered_at: Date
  readonly exited_at: Date
}

interface AskedId {
  readonly id: StayId
  /** Which listing asks for it, from 1. */
  readonly listing: number
}

/** Lists that are asked for at the same moment are one statement: most of what a short one costs is the way there. */
export const listings = (db: Database): Batched<Listing, ReadonlyArray<ClosedStay>, never> => ({
  operation: "list closed stays by id",
  work: ({ ids }) => ids.length * LOOKING,
  run: (asked) => {
    const ids = asked.flatMap((listing, i) => [...new Set(listing.ids)].map((id): AskedId => ({ id, listing: i + 1 })))
    return Effect.map(
      db.run<ListedRow>(CLOSED_BY_IDS, [
        arrays.bigints(asked, ({ organizationId }) => organizationId),
        arrays.bigints(asked, ({ placeId }) => placeId),
        arrays.bigints(ids, ({ id }) => id),
        arrays.smallints(ids, ({ listing }) => listing)
      ]),
      (rows) => {
        const found = asked.map((): Array<ClosedStay> => [])
        const premises = asked.map((listing) => premisesOf(listing))
        for (const { n, entered_at: entered, exited_at: exited } of rows) {
          const { id, listing } = ids[n - 1]!
          found[listing - 1]!.push({
            _tag: "ClosedStay",
            id,
            organizationId: asked[listing - 1]!.organizationId,
            premises: premises[listing - 1]!,
            orgAuthServerId: undefined,
            entrance: timestampOf(entered),
            exit: timestampOf(exited)
          })
        }
        return found.map((stays) => Exit.succeed(stays.sort(ClosedStayOrder)))
      }
    )
  }
})
