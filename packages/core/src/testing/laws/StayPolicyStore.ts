import type * as Layer from "effect/Layer"
import { abandonmentLaws } from "./policies/abandonments.ts"
import { policyLaws } from "./policies/policies.ts"
import { policyRaceLaws } from "./policies/races.ts"
import { retentionLaws } from "./policies/retentions.ts"
import { leaseLaws } from "./policies/leases.ts"
import type { Stores } from "../../ports/Stores.ts"
import { type LawOptions, suite } from "./suite.ts"

/** What every `StayPolicyStore` promises. */
export const stayPolicyStoreLaws = <E>(name: string, stores: Layer.Layer<Stores, E>, options?: LawOptions): void =>
  suite(
    `${name}: StayPolicyStore`,
    stores,
    [policyLaws, leaseLaws, abandonmentLaws, retentionLaws, policyRaceLaws],
    options
  )
