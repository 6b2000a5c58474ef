import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import type { Operator } from "../../domain/accounts/Caller.ts"
import type { OrganizationId } from "../../domain/shared/Ids.ts"
import type { OrganizationNotFound } from "../../domain/organizations/Organization.ts"
import { changeStayPolicy, type StayPolicy, type StayPolicyChange } from "../../domain/policies/StayPolicy.ts"
import { StayPolicyStore } from "../../ports/policies/StayPolicyStore.ts"
import type { StoreError } from "../../ports/shared/StoreError.ts"
import { byCaller } from "../audit/byCaller.ts"

/** Reads and changes what becomes of an organization's stays with time alone (spec: policies#change). */
export class StayPolicies extends Context.Service<
  StayPolicies,
  {
    /** The policy in force; an organization that was never given one has none of its fields. For operators. */
    readonly get: (
      operator: Operator,
      organizationId: OrganizationId
    ) => Effect.Effect<StayPolicy, OrganizationNotFound | StoreError>
    /** The policy after the change. It holds for stays and accesses that are there already, too. For operators. */
    readonly change: (
      operator: Operator,
      organizationId: OrganizationId,
      change: StayPolicyChange
    ) => Effect.Effect<StayPolicy, OrganizationNotFound | StoreError>
  }
>()("@sojourn/core/StayPolicies") {
  static readonly layer: Layer.Layer<StayPolicies, never, StayPolicyStore> = Layer.effect(
    StayPolicies,
    Effect.gen(function* () {
      const store = yield* StayPolicyStore
      return StayPolicies.of(
        byCaller({
          get: (_operator, organizationId) => store.get(organizationId),
          change: (_operator, organizationId, change) =>
            store.change({ organizationId, decide: (policy) => changeStayPolicy(policy, change) })
        })
      )
    })
  )
}
