import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"
import type { Allowance } from "../domain/Allowance.ts"

/**
 * What was spent of allowances, by the names of callers. It applies `spend`.
 *
 * - `spend` answers 0 where the request is within the allowance, else the milliseconds after which the name has a whole one
 *   again. Requests at the same moment are never granted more than the allowance together.
 * - One name is always asked for with one window. How much it holds may change with the number of servers.
 * - What was spent is of use for a window and no longer. A store may forget it earlier, when the process ends or has too many
 *   names to keep; it never makes up what was not spent.
 * - It is kept in memory alone. A store that wrote a name down with each request, or with each interval, would tell when a
 *   caller was there: beside anonymous stays of the same moment that names the people of these stays.
 */
export class AllowanceStore extends Context.Service<
  AllowanceStore,
  {
    readonly spend: (name: string, allowance: Allowance) => Effect.Effect<number>
  }
>()("@sojourn/core/AllowanceStore") {}
