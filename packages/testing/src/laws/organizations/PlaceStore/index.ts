import type { Stores } from "@sojourn/core"
import type * as Layer from "effect/Layer"
import { placeFactLaws } from "./facts.ts"
import { placeRaceLaws } from "./races.ts"
import { placeRecordLaws } from "./records.ts"
import { type LawOptions, suite } from "../../shared/suite.ts"

/** What every `PlaceStore` promises. */
export const placeStoreLaws = <E>(name: string, stores: Layer.Layer<Stores, E>, options?: LawOptions): void =>
  suite(`${name}: PlaceStore`, stores, [placeRecordLaws, placeFactLaws, placeRaceLaws], options)
