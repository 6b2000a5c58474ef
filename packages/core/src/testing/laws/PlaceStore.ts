import type * as Layer from "effect/Layer"
import { placeFactLaws } from "./places/facts.ts"
import { placeRaceLaws } from "./places/races.ts"
import { placeRecordLaws } from "./places/records.ts"
import type { Stores } from "../../ports/Stores.ts"
import { type LawOptions, suite } from "./suite.ts"

/** What every `PlaceStore` promises. */
export const placeStoreLaws = <E>(name: string, stores: Layer.Layer<Stores, E>, options?: LawOptions): void =>
  suite(`${name}: PlaceStore`, stores, [placeRecordLaws, placeFactLaws, placeRaceLaws], options)
