import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"
import type { Allowance } from "../domain/Allowance.ts"
import type { StoreError } from "./StoreError.ts"

/**
 * What was spent of allowances, under names that whoever asks makes up. It applies `spend`.
 *
 * - `spend` answers 0 where the request is within the allowance, else the milliseconds after which the name has a whole one
 *   again. Requests at the same moment are never granted more than the allowance together, wherever they come in.
 * - One name is always asked for with one allowance.
 * - What was spent is of use for a window and no longer. A store may forget it earlier, when it crashes or has too many names
 *   to keep; it never makes up what was not spent.
 */
export class AllowanceStore extends Context.Service<
  AllowanceStore,
  {
    readonly spend: (name: string, allowance: Allowance) => Effect.Effect<number, StoreError>
  }
>()("@sojourn/core/AllowanceStore") {}
