/** Random permissions of an organization, with few administrators, so that rules about several apply. */
import {
  AdministratorId,
  OrganizationId,
  type Permission,
  type PermissionLevel,
  type PermissionUpdate,
  type TrackingMode
} from "@sojourn/core"
import { Arbitrary } from "effect"
import { anyOf, maybe, oneOf, someOf } from "./choice.ts"
import { administratorId, orgAuthServerId } from "./ids.ts"
import { mail } from "./text.ts"

export const LEVELS = ["viewer", "manager", "owner"] as const

export const level: Arbitrary.Arbitrary<PermissionLevel> = anyOf(LEVELS)
export const mode: Arbitrary.Arbitrary<TrackingMode> = anyOf(["anonymous", "authenticated"])

/** The administrators of the tests' organizations: few, so that they meet. */
export const ADMINISTRATORS: ReadonlyArray<AdministratorId> = ["ada", "bob", "cleo", "dan"].map((id) =>
  AdministratorId.make(id)
)

const permission = (id: AdministratorId): Arbitrary.Arbitrary<Permission> =>
  Arbitrary.all({
    administratorId: Arbitrary.Constant(id),
    organizationId: Arbitrary.Constant(OrganizationId.make(1n)),
    level: oneOf<PermissionLevel>(level, Arbitrary.Constant("owner")),
    mail: maybe(mail),
    orgAuthServerId: maybe(orgAuthServerId),
    nominatedBy: administratorId
  })

/** The permissions of one organization: each administrator once, with any levels. */
export const anyPermissions: Arbitrary.Arbitrary<ReadonlyArray<Permission>> = Arbitrary.flatMap(
  someOf(ADMINISTRATORS),
  (ids) => Arbitrary.all(ids.map(permission))
)

/**
 * The permissions of one organization as the rules keep them: each administrator once, at least one of them an owner.
 */
export const permissions: Arbitrary.Arbitrary<ReadonlyArray<Permission>> = Arbitrary.filter(anyPermissions, (all) =>
  all.some(({ level }) => level === "owner")
)

/** An update of a permission that names few other fields, and those sometimes rightly. */
export const permissionUpdate: Arbitrary.Arbitrary<PermissionUpdate> = Arbitrary.all({
  administratorId: anyOf(["ada", "bob", "cleo", "dan", "unknown"]).pipe(
    Arbitrary.map((id) => AdministratorId.make(id))
  ),
  level,
  mail: oneOf(Arbitrary.Constant(undefined), Arbitrary.Constant(undefined), mail),
  orgAuthServerId: oneOf(Arbitrary.Constant(undefined), Arbitrary.Constant(undefined), orgAuthServerId),
  nominatedBy: oneOf(Arbitrary.Constant(undefined), Arbitrary.Constant(undefined), administratorId)
})
