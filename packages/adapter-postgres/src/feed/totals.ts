/** Rows of the totals of premises. */
import type { Capacity, CapacityLevel, PresenceTotals } from "@sojourn/core"
import { instantOf, numberOf } from "../database/rows.ts"
import { placeOfRow } from "./events.ts"

/** The columns of a capacity, and of what was published with it. */
export interface CapacityColumns {
  readonly capacity: bigint | null
  readonly warn_at: number | null
  readonly level: CapacityLevel
  /** When a `PresenceChanged` of the premises was published last. */
  readonly published_at: Date | null
}

/** A row of the table `presence_totals`. */
export interface PremisesTotalsRow extends CapacityColumns {
  readonly place_id: bigint
  readonly entered: bigint
  readonly departed: bigint
}

export const capacityOf = (row: CapacityColumns): Capacity | undefined => {
  const capacity = numberOf(row.capacity)
  return capacity === undefined ? undefined : { capacity, warnAt: row.warn_at! }
}

export const totalsOf = (row: PremisesTotalsRow): PresenceTotals => ({
  placeId: placeOfRow(row),
  entered: Number(row.entered),
  left: Number(row.departed),
  capacity: capacityOf(row),
  level: row.level,
  publishedAt: instantOf(row.published_at)
})
