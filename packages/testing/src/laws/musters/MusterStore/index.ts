import { suite } from "../../shared/suite.ts"
import { musterEndingLaws } from "./endings.ts"
import { insideLaws } from "./lists.ts"
import { musterLaws } from "./musters.ts"
import { musterPersonalDataLaws } from "./personalData.ts"

/** What every `MusterStore` promises. */
export const musterStoreLaws = suite("MusterStore", [insideLaws, musterLaws, musterEndingLaws, musterPersonalDataLaws])
