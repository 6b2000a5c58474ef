import type { MovementFacts, OrgAuthServerId, StayId, Timestamp } from "@sojourn/core"
import * as Option from "effect/Option"

/** What the rules of a movement are decided on, as a statement answers it; nothing where it was not asked and makes no difference. */
export interface FactsRow {
  readonly tracking_mode?: MovementFacts["mode"] | null
  readonly linked?: OrgAuthServerId | null
}

/** What a statement on movements answers of one of them: see `statement` in `moving.sql.ts`. */
export interface MovedRow extends FactsRow {
  readonly n: number
  readonly person?: OrgAuthServerId | null
  readonly id?: StayId | null
  readonly key_id?: number | null
  readonly entered_at?: Date | null
  /** Left out where what is answered was written. */
  readonly is_written?: boolean | null
}

export const factsOf = ({ tracking_mode, linked }: FactsRow): MovementFacts => ({
  mode: tracking_mode ?? "anonymous",
  linked: Option.fromNullishOr(linked)
})

export const timestampOf = (date: Date): Timestamp => date.getTime() as Timestamp
