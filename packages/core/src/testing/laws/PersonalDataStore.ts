import type * as Layer from "effect/Layer"
import type { Stores } from "../../ports/Stores.ts"
import { administratorErasureLaws } from "./erasures/administrators.ts"
import { ledgerLaws } from "./erasures/ledger.ts"
import { peopleErasureLaws } from "./erasures/people.ts"
import { erasureRaceLaws } from "./erasures/races.ts"
import { type LawOptions, suite } from "./suite.ts"

/** What every `PersonalDataStore` promises. */
export const personalDataStoreLaws = <E>(name: string, stores: Layer.Layer<Stores, E>, options?: LawOptions): void =>
  suite(
    `${name}: PersonalDataStore`,
    stores,
    [peopleErasureLaws, administratorErasureLaws, ledgerLaws, erasureRaceLaws],
    options
  )
