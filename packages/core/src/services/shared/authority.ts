/** The check that use cases make first: does the administrator hold the level that they need? */
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import type { Administrator } from "../../domain/accounts/Caller.ts"
import type { OrganizationId } from "../../domain/shared/Ids.ts"
import { OrganizationNotFound } from "../../domain/organizations/Organization.ts"
import { type PermissionTooLow, requireLevel } from "../../domain/accounts/Permission.ts"
import type { PermissionLevel } from "../../domain/accounts/PermissionLevel.ts"
import { PremisesNotFound } from "../../domain/stays/Stay.ts"
import { OrganizationPremises, type Premises } from "../../domain/shared/Premises.ts"
import type { PermissionStore } from "../../ports/accounts/PermissionStore.ts"
import type { StoreError } from "../../ports/shared/StoreError.ts"

/** Returns the organization of the premises if they exist and the administrator has at least `required` there. */
export const authorize = (
  permissions: PermissionStore["Service"],
  administrator: Administrator,
  premises: Premises,
  required: PermissionLevel
): Effect.Effect<OrganizationId, PremisesNotFound | PermissionTooLow | StoreError> =>
  Effect.gen(function* () {
    const membership = yield* permissions.membership(premises, administrator.administratorId)
    if (Option.isNone(membership)) return yield* new PremisesNotFound({ premises })
    yield* Effect.fromResult(requireLevel(membership.value.level, required))
    return membership.value.organizationId
  })

/** {@link authorize} for a whole organization: fails with `OrganizationNotFound` when it does not exist. */
export const authorizeIn = (
  permissions: PermissionStore["Service"],
  administrator: Administrator,
  organizationId: OrganizationId,
  required: PermissionLevel
): Effect.Effect<OrganizationId, OrganizationNotFound | PermissionTooLow | StoreError> =>
  Effect.catchTag(
    authorize(permissions, administrator, OrganizationPremises(organizationId), required),
    "PremisesNotFound",
    () => Effect.fail(new OrganizationNotFound({ organizationId }))
  )
