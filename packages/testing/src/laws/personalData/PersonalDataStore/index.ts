import { administratorErasureLaws } from "./administrators.ts"
import { collectingLaws } from "./collecting.ts"
import { ledgerLaws, peopleErasureLaws } from "./people.ts"
import { erasureRaceLaws } from "./races.ts"
import { suite } from "../../shared/suite.ts"

/** What every `PersonalDataStore` promises. */
export const personalDataStoreLaws = suite("PersonalDataStore", [
  peopleErasureLaws,
  administratorErasureLaws,
  ledgerLaws,
  erasureRaceLaws,
  collectingLaws
])
