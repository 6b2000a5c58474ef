import { suite } from "../../shared/suite.ts"
import { accessLaws } from "./accesses.ts"
import { importHistoryLaws } from "./histories.ts"
import { placeLaws } from "./places.ts"

/** The laws of `ImportStore`. */
export const importStoreLaws = suite("ImportStore", [accessLaws, importHistoryLaws, placeLaws])
