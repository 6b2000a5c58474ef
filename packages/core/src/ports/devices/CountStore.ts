/** The port for people whom devices count: a number of each premises, beside its open stays. */
import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"
import type { PermissionTooLow } from "../../domain/accounts/Permission.ts"
import type { Reading, ReadingRefusal } from "../../domain/devices/Counting.ts"
import type { DeviceNotFound } from "../../domain/devices/Device.ts"
import type { AdministratorId, DeviceId, OrganizationId } from "../../domain/shared/Ids.ts"
import type { Premises } from "../../domain/shared/Premises.ts"
import type { Timestamp } from "../../domain/shared/Timestamp.ts"
import type { PremisesNotFound } from "../../domain/stays/Stay.ts"
import type { StoreError } from "../shared/StoreError.ts"

/** How many people devices count inside of premises, and how many are inside in all. */
export interface CountedPeople {
  readonly organizationId: OrganizationId
  readonly premises: Premises
  readonly counted: number
  /** The open stays and the people counted, as `Presence` answers them. */
  readonly inside: number
}

/** An administrator's request for premises. */
interface OfPremises {
  readonly premises: Premises
  readonly administratorId: AdministratorId
}

/** The people counted at premises (spec: devices#counting). The number ends with the premises, as left in the feed. */
export class CountStore extends Context.Service<
  CountStore,
  {
    /**
     * Counts the readings of one request by the rule `countReadings`, and appends the changes that it answers, as one step. Answers how
     * many readings changed anything. It is a sign of life of the device, whose state is by the rule `deviceAfterReadings`.
     * A reading counts once, however often it is sent, also to several servers at the same moment.
     * Laws: `devices/CountStore.ts` "readings of any order and number count as the rule says", "a reading that is sent many times
     * at the same moment counts once".
     */
    readonly count: (request: {
      readonly deviceId: DeviceId
      readonly readings: ReadonlyArray<Reading>
      readonly now: Timestamp
    }) => Effect.Effect<number, DeviceNotFound | ReadingRefusal | StoreError>
    /** For viewers: reads the number of premises. */
    readonly get: (query: OfPremises) => Effect.Effect<CountedPeople, PremisesNotFound | PermissionTooLow | StoreError>
    /**
     * For managers: corrects the number of premises. The difference is a change that is published as corrected. With a publishing interval it takes the
     * place of what devices count there between the multiples before and after it, and of the drift of that time: see `correctedUntil`.
     * Laws: `devices/CountStore.ts` "a correction is one event of the difference", "with a publishing interval events tell nothing of the
     * order of movements, counts and corrections".
     */
    readonly set: (
      change: OfPremises & { readonly counted: number; readonly now: Timestamp }
    ) => Effect.Effect<CountedPeople, PremisesNotFound | PermissionTooLow | StoreError>
    /**
     * Corrects the numbers of all premises to 0 in organizations whose reset (`nextTimeOfDay`) has come, and answers in how many. Of racing
     * calls one resets an organization.
     * Law: `devices/CountStore.ts` "the numbers of an organization become 0 once at the time of its policy".
     */
    readonly reset: (now: Timestamp) => Effect.Effect<number, StoreError>
  }
>()("@sojourn/core/CountStore") {}
