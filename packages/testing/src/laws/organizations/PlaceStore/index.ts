import { placeFactLaws } from "./facts.ts"
import { placeHierarchyLaws } from "./hierarchy.ts"
import { placeRaceLaws } from "./races.ts"
import { placeRecordLaws } from "./records.ts"
import { suite } from "../../shared/suite.ts"

/** What every `PlaceStore` promises. */
export const placeStoreLaws = suite("PlaceStore", [placeRecordLaws, placeFactLaws, placeHierarchyLaws, placeRaceLaws])
