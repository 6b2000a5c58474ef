/** Says which feeds an administrator or a display may follow, and notices when that ends. */
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as Result from "effect/Result"
import type { Administrator, DisplayCaller } from "../../domain/accounts/Caller.ts"
import { readerOf } from "../../domain/accounts/Reader.ts"
import type { OrganizationId } from "../../domain/shared/Ids.ts"
import { OrganizationNotFound } from "../../domain/organizations/Organization.ts"
import { type PermissionTooLow, requireLevel } from "../../domain/accounts/Permission.ts"
import { type MembershipKey, PermissionStore } from "../../ports/accounts/PermissionStore.ts"
import { DeviceStore } from "../../ports/devices/DeviceStore.ts"
import { PresenceFeed } from "../../ports/feed/PresenceFeed.ts"
import type { StoreError } from "../../ports/shared/StoreError.ts"
import { BackgroundStores, CellOf } from "../shared/backgroundStores.ts"

/** Whether a reader may read the feed of an organization now. */
export type SubscriptionStatus = "allowed" | "forbidden" | "deleted"

/** The feeds of organizations, for administrators and displays that subscribe to them. */
export class PresenceSubscriptions extends Context.Service<
  PresenceSubscriptions,
  {
    /** Requires that all organizations exist, and that the administrator has any level in each, or the display is of each. */
    readonly authorize: (
      caller: Administrator | DisplayCaller,
      organizationIds: ReadonlyArray<OrganizationId>
    ) => Effect.Effect<void, OrganizationNotFound | PermissionTooLow | StoreError>
    /** The present status of subscriptions that were authorized before, in their order and as of one reading. */
    readonly statuses: (
      subscriptions: ReadonlyArray<MembershipKey>
    ) => Effect.Effect<ReadonlyArray<SubscriptionStatus>, StoreError>
    /**
     * The feeds of each cell; of one without cells. Those of several cells are never read together, so that a cell that does not answer holds
     * up its own subscribers alone.
     */
    readonly cells: ReadonlyArray<PresenceFeed["Service"]>
    /** The one of {@link cells} that an organization's feed is in. */
    readonly cellOf: (organizationId: OrganizationId) => PresenceFeed["Service"]
  }
>()("@sojourn/core/PresenceSubscriptions") {
  static readonly layer: Layer.Layer<PresenceSubscriptions, never, PermissionStore | PresenceFeed | DeviceStore> =
    Layer.effect(
      PresenceSubscriptions,
      Effect.gen(function* () {
        const permissions = yield* PermissionStore
        const feed = yield* PresenceFeed
        const devices = yield* DeviceStore
        const numberOf = yield* CellOf
        const byNumber = new Map(
          Array.from(yield* BackgroundStores, ([number, stores]) => {
            const { generation, notifications } = Context.get(stores, PresenceFeed)
            // What names organizations asks the stores over all cells, which know where each organization is.
            return [number, { ...feed, generation, notifications }] as const
          })
        )
        const [first = feed, ...others] = byNumber.values()
        return PresenceSubscriptions.of({
          authorize: Effect.fnUntraced(function* (caller, organizationIds) {
            const reader = readerOf(caller)
            const memberships = yield* permissions.memberships(
              organizationIds.map((organizationId) => ({ organizationId, reader }))
            )
            const unknown = memberships.findIndex(Option.isNone)
            if (unknown >= 0) return yield* new OrganizationNotFound({ organizationId: organizationIds[unknown]! })
            for (const membership of memberships) {
              yield* Effect.fromResult(requireLevel(Option.getOrThrow(membership).level, "viewer"))
            }
          }),
          statuses: Effect.fnUntraced(function* (subscriptions) {
            const displays = subscriptions.flatMap(({ reader }) =>
              typeof reader === "string" ? [] : [reader.deviceId]
            )
            const existing = new Set(displays.length === 0 ? [] : yield* devices.existing(displays))
            const memberships = yield* permissions.memberships(subscriptions)
            return memberships.map((membership, n): SubscriptionStatus => {
              if (Option.isNone(membership)) return "deleted"
              const { reader } = subscriptions[n]!
              const isRemoved = typeof reader !== "string" && !existing.has(reader.deviceId)
              return Result.isSuccess(requireLevel(membership.value.level, "viewer")) && !isRemoved
                ? "allowed"
                : "forbidden"
            })
          }),
          cells: [first, ...others],
          cellOf: (organizationId) => byNumber.get(numberOf(organizationId)) ?? first
        })
      })
    )
}
