import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import type { Administrator } from "../domain/Caller.ts"
import type { OrganizationId } from "../domain/Ids.ts"
import { OrganizationNotFound } from "../domain/Organization.ts"
import { type PermissionTooLow, requireLevel } from "../domain/Permission.ts"
import type { PermissionLevel } from "../domain/PermissionLevel.ts"
import { PremisesNotFound } from "../domain/Stay.ts"
import { OrganizationPremises, type Premises } from "../domain/Premises.ts"
import type { PermissionStore } from "../ports/PermissionStore.ts"
import type { StoreError } from "../ports/StoreError.ts"

/** The organization of the premises, when they exist and the administrator holds at least `required` there. */
export const authorize = (
  permissions: PermissionStore["Service"],
  administrator: Administrator,
  premises: Premises,
  required: PermissionLevel
): Effect.Effect<OrganizationId, PremisesNotFound | PermissionTooLow | StoreError> =>
  Effect.gen(function* () {
    const standing = yield* permissions.standing(premises, administrator.administratorId)
    if (Option.isNone(standing)) return yield* new PremisesNotFound({ premises })
    yield* Effect.fromResult(requireLevel(standing.value.level, required))
    return standing.value.organizationId
  })

/** The same for an organization as a whole, whose absence has a name of its own. */
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
