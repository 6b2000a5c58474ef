import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"
import type { OrganizationId } from "../domain/Ids.ts"
import type { StoreError } from "./StoreError.ts"

/** How many stays are open, of one moment. */
export interface Headcount {
  /** In all organizations, and in their places. */
  readonly open: number
  /** In how many organizations somebody is inside. */
  readonly organizations: number
  /** The organizations with most of them, places included: the largest first, of equals the one with the lower id. */
  readonly largest: ReadonlyArray<{ readonly organizationId: OrganizationId; readonly open: number }>
}

/**
 * How many people are inside, for the operator's measures and for nobody else: it asks no permission of anybody.
 *
 * - `take` counts the open stays as they are in one moment. `largest` has `most` organizations at most. It may read every open
 *   stay: it is for now and then.
 */
export class Census extends Context.Service<
  Census,
  { readonly take: (most: number) => Effect.Effect<Headcount, StoreError> }
>()("@sojourn/core/Census") {}
