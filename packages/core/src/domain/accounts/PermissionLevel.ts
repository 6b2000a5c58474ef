import * as Order from "effect/Order"
import * as Schema from "effect/Schema"

/** What an administrator may do in one organization, in increasing order of power (spec: accounts#levels). */
export const PermissionLevel = Schema.Literals(["viewer", "manager", "owner"])
export type PermissionLevel = typeof PermissionLevel.Type

const POWER: Record<PermissionLevel, number> = { viewer: 1, manager: 2, owner: 3 }

/** viewer < manager < owner. */
export const PermissionLevelOrder: Order.Order<PermissionLevel> = Order.mapInput(
  Order.Number,
  (level: PermissionLevel) => POWER[level]
)

/** Does `level` hold at least the power of `required`? */
export const isAtLeast: (level: PermissionLevel, required: PermissionLevel) => boolean =
  Order.isGreaterThanOrEqualTo(PermissionLevelOrder)
