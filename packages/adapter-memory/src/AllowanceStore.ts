import { AllowanceStore, spend, type Spent } from "@sojourn/core"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"

/** How many names are kept at least, and half of how many at most. */
const GENERATION = 50_000

/**
 * Allowances in memory, for one server. It knows the last 50,000 names that asked, and as many others at most: of more names
 * at once some are forgotten, and have a whole allowance again.
 */
export const layerAllowances: Layer.Layer<AllowanceStore> = Layer.sync(AllowanceStore, () => {
  let young = new Map<string, Spent>()
  let old = new Map<string, Spent>()
  return {
    spend: (name, allowance) =>
      Effect.clockWith((clock) => {
        const { spent, wait } = spend(allowance, young.get(name) ?? old.get(name), clock.currentTimeMillisUnsafe())
        if (young.size >= GENERATION && !young.has(name)) {
          old = young
          young = new Map()
        }
        young.set(name, spent)
        return Effect.succeed(wait)
      })
  }
})
