import { suite } from "../../shared/suite.ts"
import { musterEndingLaws } from "./endings.ts"
import { insideLaws } from "./lists.ts"
import { musterLaws } from "./musters.ts"
import { musterPersonalDataLaws } from "./personalData.ts"
import { musterRaceLaws } from "./races.ts"

/** What every `MusterStore` promises. */
export const musterStoreLaws = suite("MusterStore", [
  insideLaws,
  musterLaws,
  musterEndingLaws,
  musterPersonalDataLaws,
  musterRaceLaws
])
