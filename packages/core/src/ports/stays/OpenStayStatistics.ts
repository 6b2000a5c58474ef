/** The port for the metrics of the operator: open stays in all and by organization, people counted and devices, without authorization. */
import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"
import type { DeviceState } from "../../domain/devices/Device.ts"
import type { OrganizationId } from "../../domain/shared/Ids.ts"
import type { StoreError } from "../shared/StoreError.ts"

/** How many stays are open at one moment. */
export interface OpenStayCounts {
  /** The open stays of all organizations and their places. */
  readonly open: number
  /** The number of organizations with at least one open stay. */
  readonly organizations: number
  /** The organizations with the most open stays, places included: largest first, ties by the lower id. */
  readonly largest: ReadonlyArray<{ readonly organizationId: OrganizationId; readonly open: number }>
  /** How many people devices count inside, of all organizations and their places. */
  readonly counted: number
  /** How many devices are in each state. */
  readonly devices: Readonly<Record<DeviceState, number>>
}

/** Counts open stays for the operator's metrics. It checks no permission. */
export class OpenStayStatistics extends Context.Service<
  OpenStayStatistics,
  {
    /**
     * Counts the open stays as of one moment, with at most `most` organizations in `largest`.
     * It may read every open stay, so it is for occasional use.
     * Laws: `stays/OpenStayStatistics.ts` "devices and people counted are counted by state and in all", "open stays are counted, of the organization and its places together, until they are closed",
     * "the sums are of all organizations, the list of the largest".
     */
    readonly read: (most: number) => Effect.Effect<OpenStayCounts, StoreError>
  }
>()("@sojourn/core/OpenStayStatistics") {}
