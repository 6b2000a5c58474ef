import type * as Layer from "effect/Layer"
import { entranceLaws } from "./stays/entrances.ts"
import { exitLaws } from "./stays/exits.ts"
import { historyLaws } from "./stays/histories.ts"
import { identityLaws } from "./stays/identities.ts"
import { listLaws } from "./stays/lists.ts"
import { raceLaws } from "./stays/races.ts"
import { readingLaws } from "./stays/readings.ts"
import { retryLaws } from "./stays/retries.ts"
import { togetherLaws } from "./stays/together.ts"
import type { Stores } from "../../ports/Stores.ts"
import { type LawOptions, suite } from "./suite.ts"

/** What every `StayLog` promises. */
export const stayLogLaws = <E>(name: string, stores: Layer.Layer<Stores, E>, options?: LawOptions): void =>
  suite(
    `${name}: StayLog`,
    stores,
    [entranceLaws, exitLaws, identityLaws, retryLaws, listLaws, readingLaws, togetherLaws, raceLaws, historyLaws],
    options
  )
