import type { MovementFacts, OrgAuthServerId, StayId } from "@sojourn/core"
import { Option } from "effect"

/** The facts of a movement, as a statement returns them. A column is left out where it makes no difference. */
export interface FactsRow {
  readonly tracking_mode?: MovementFacts["mode"] | null
  readonly linked?: OrgAuthServerId | null
}

/** The row of a movement that a statement of `anonymous.sql.ts` or `identified.sql.ts` returns. */
export interface MovedRow extends FactsRow {
  readonly n: number
  readonly person?: OrgAuthServerId | null
  readonly id?: StayId | null
  readonly key_id?: number | null
  readonly entered_at?: Date | null
  /** Left out where the stay of the row was written. */
  readonly is_written?: boolean | null
  /** Whether the retry key answers an earlier entrance. */
  readonly is_repeated?: boolean
  /** Whether the organization's places are exclusive. */
  readonly is_exclusive?: boolean
}

export const factsOf = ({ tracking_mode, linked }: FactsRow): MovementFacts => ({
  mode: tracking_mode ?? "anonymous",
  linked: Option.fromNullishOr(linked)
})
