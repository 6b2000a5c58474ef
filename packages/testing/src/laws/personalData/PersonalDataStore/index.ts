import type { Stores } from "@sojourn/core"
import type * as Layer from "effect/Layer"
import { administratorErasureLaws } from "./administrators.ts"
import { collectingLaws } from "./collecting.ts"
import { ledgerLaws } from "./ledger.ts"
import { peopleErasureLaws } from "./people.ts"
import { erasureRaceLaws } from "./races.ts"
import { type LawOptions, suite } from "../../shared/suite.ts"

/** What every `PersonalDataStore` promises. */
export const personalDataStoreLaws = <E>(name: string, stores: Layer.Layer<Stores, E>, options?: LawOptions): void =>
  suite(
    `${name}: PersonalDataStore`,
    stores,
    [peopleErasureLaws, administratorErasureLaws, ledgerLaws, erasureRaceLaws, collectingLaws],
    options
  )
