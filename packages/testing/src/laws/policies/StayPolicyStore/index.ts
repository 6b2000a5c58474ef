import type { Stores } from "@sojourn/core"
import type * as Layer from "effect/Layer"
import { abandonmentLaws } from "./abandonments.ts"
import { policyLaws } from "./policies.ts"
import { policyRaceLaws } from "./races.ts"
import { retentionLaws } from "./retentions.ts"
import { leaseLaws } from "./leases.ts"
import { type LawOptions, suite } from "../../shared/suite.ts"

/** What every `StayPolicyStore` promises. */
export const stayPolicyStoreLaws = <E>(name: string, stores: Layer.Layer<Stores, E>, options?: LawOptions): void =>
  suite(
    `${name}: StayPolicyStore`,
    stores,
    [policyLaws, leaseLaws, abandonmentLaws, retentionLaws, policyRaceLaws],
    options
  )
