/** The check that use cases make first: does the caller hold the level that they need? */
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import type { Administrator, DisplayCaller } from "../../domain/accounts/Caller.ts"
import { readerOf } from "../../domain/accounts/Reader.ts"
import type { OrganizationId } from "../../domain/shared/Ids.ts"
import { OrganizationNotFound } from "../../domain/organizations/Organization.ts"
import { type PermissionTooLow, requireLevel } from "../../domain/accounts/Permission.ts"
import type { PermissionLevel } from "../../domain/accounts/PermissionLevel.ts"
import { PremisesNotFound } from "../../domain/stays/Stay.ts"
import { OrganizationPremises, type Premises } from "../../domain/shared/Premises.ts"
import type { PermissionStore } from "../../ports/accounts/PermissionStore.ts"
import type { StoreError } from "../../ports/shared/StoreError.ts"

/** Returns the organization of the premises if they exist and the caller has at least `required` there. */
export const authorize = (
  permissions: PermissionStore["Service"],
  caller: Administrator | DisplayCaller,
  premises: Premises,
  required: PermissionLevel
): Effect.Effect<OrganizationId, PremisesNotFound | PermissionTooLow | StoreError> =>
  Effect.gen(function* () {
    const membership = yield* permissions.membership(premises, readerOf(caller))
    if (Option.isNone(membership)) return yield* new PremisesNotFound({ premises })
    yield* Effect.fromResult(requireLevel(membership.value.level, required))
    return membership.value.organizationId
  })

/** {@link authorize} for a whole organization: fails with `OrganizationNotFound` when it does not exist. */
export const authorizeIn = (
  permissions: PermissionStore["Service"],
  caller: Administrator | DisplayCaller,
  organizationId: OrganizationId,
  required: PermissionLevel
): Effect.Effect<OrganizationId, OrganizationNotFound | PermissionTooLow | StoreError> =>
  Effect.catchTag(
    authorize(permissions, caller, OrganizationPremises(organizationId), required),
    "PremisesNotFound",
    () => Effect.fail(new OrganizationNotFound({ organizationId }))
  )
