import type { Stores } from "@sojourn/core"
import type * as Layer from "effect/Layer"
import { entranceLaws } from "./entrances.ts"
import { exitLaws } from "./exits.ts"
import { historyLaws } from "./histories.ts"
import { identityLaws } from "./identities.ts"
import { listLaws } from "./lists.ts"
import { raceLaws } from "./races.ts"
import { readingLaws } from "./readings.ts"
import { retryLaws } from "./retries.ts"
import { batchLaws } from "./batches.ts"
import { type LawOptions, suite } from "../../shared/suite.ts"

/** What every `StayLog` promises. */
export const stayLogLaws = <E>(name: string, stores: Layer.Layer<Stores, E>, options?: LawOptions): void =>
  suite(
    `${name}: StayLog`,
    stores,
    [entranceLaws, exitLaws, identityLaws, retryLaws, listLaws, readingLaws, batchLaws, raceLaws, historyLaws],
    options
  )
