import type { Stores } from "@sojourn/core"
import type * as Layer from "effect/Layer"
import { type LawOptions, suite } from "../../shared/suite.ts"
import { musterEndingLaws } from "./endings.ts"
import { insideLaws } from "./lists.ts"
import { musterLaws } from "./musters.ts"
import { musterPersonalDataLaws } from "./personalData.ts"
import { musterRaceLaws } from "./races.ts"

/** What every `MusterStore` promises. */
export const musterStoreLaws = <E>(name: string, stores: Layer.Layer<Stores, E>, options?: LawOptions): void =>
  suite(
    `${name}: MusterStore`,
    stores,
    [insideLaws, musterLaws, musterEndingLaws, musterPersonalDataLaws, musterRaceLaws],
    options
  )
