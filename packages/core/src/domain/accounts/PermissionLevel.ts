import * as Order from "effect/Order"
import * as Schema from "effect/Schema"

/**
 * What an administrator may do in one organization, in increasing order of power (spec: accounts#levels).
 *
 * @since 0.1.0
 * @category schemas
 */
export const PermissionLevel = Schema.Literals(["viewer", "manager", "owner"])
export type PermissionLevel = typeof PermissionLevel.Type

const POWER: Record<PermissionLevel, number> = { viewer: 1, manager: 2, owner: 3 }

/**
 * viewer < manager < owner.
 *
 * @since 0.1.0
 * @category functions
 */
export const PermissionLevelOrder: Order.Order<PermissionLevel> = Order.mapInput(
  Order.Number,
  (level: PermissionLevel) => POWER[level]
)

/**
 * Does `level` hold at least the power of `required`?
 *
 * @since 0.1.0
 * @category guards
 */
export const isAtLeast: (level: PermissionLevel, required: PermissionLevel) => boolean =
  Order.isGreaterThanOrEqualTo(PermissionLevelOrder)
