/** Use cases on musters, and their retention. */
import * as Context from "effect/Context"
import type * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import type { Administrator } from "../domain/Caller.ts"
import type { MusterId, OrganizationId } from "../domain/Ids.ts"
import type {
  Marking,
  MarkingNotOfMode,
  Muster,
  MusterEnded,
  MusterKind,
  MusterNotFound,
  MusterOpen,
  MusterReport,
  PeopleNotTracked,
  PersonInside
} from "../domain/Muster.ts"
import type { OrganizationNotFound } from "../domain/Organization.ts"
import type { PermissionTooLow } from "../domain/Permission.ts"
import type { Premises } from "../domain/Premises.ts"
import type { PremisesNotFound } from "../domain/Stay.ts"
import { MusterStore } from "../ports/MusterStore.ts"
import type { StoreError } from "../ports/StoreError.ts"
import { forgetOlder } from "./forgetting.ts"
import { now } from "./now.ts"

/** How many musters one statement forgets. */
const AT_ONCE = 100

/** Lists who is inside, and holds musters: lists of who was, with who of them is safe. */
export class Musters extends Context.Service<
  Musters,
  {
    /** The people inside of the premises, and of the places of an organization. For viewers of authenticated organizations. */
    readonly inside: (
      viewer: Administrator,
      premises: Premises
    ) => Effect.Effect<ReadonlyArray<PersonInside>, PremisesNotFound | PermissionTooLow | PeopleNotTracked | StoreError>
    /** Starts a muster of the people inside, unless one is open. For managers. */
    readonly start: (
      manager: Administrator,
      muster: {
        readonly organizationId: OrganizationId
        readonly kind: MusterKind
        readonly note?: string | undefined
      }
    ) => Effect.Effect<MusterReport, OrganizationNotFound | PermissionTooLow | MusterOpen | StoreError>
    /** The musters of an organization without their people, the newest first. For viewers. */
    readonly list: (
      viewer: Administrator,
      organizationId: OrganizationId
    ) => Effect.Effect<ReadonlyArray<Muster>, OrganizationNotFound | PermissionTooLow | StoreError>
    /** A muster with its people. For viewers. */
    readonly get: (
      viewer: Administrator,
      musterId: MusterId
    ) => Effect.Effect<MusterReport, MusterNotFound | PermissionTooLow | StoreError>
    /** Marks people as safe, or keeps how many are at the muster point. For viewers, until the muster ends. */
    readonly mark: (
      viewer: Administrator,
      musterId: MusterId,
      marking: Marking
    ) => Effect.Effect<MusterReport, MusterNotFound | PermissionTooLow | MarkingNotOfMode | MusterEnded | StoreError>
    /** Ends a muster: it stays as it is in that moment. One that has ended is answered unchanged. For managers. */
    readonly end: (
      manager: Administrator,
      musterId: MusterId
    ) => Effect.Effect<MusterReport, MusterNotFound | PermissionTooLow | StoreError>
    /** Forgets musters that ended longer ago than `retention`, and answers how many; to be run periodically. */
    readonly forget: (retention: Duration.Input) => Effect.Effect<number, StoreError>
  }
>()("@sojourn/core/Musters") {
  static readonly layer: Layer.Layer<Musters, never, MusterStore> = Layer.effect(
    Musters,
    Effect.gen(function* () {
      const store = yield* MusterStore
      return Musters.of({
        inside: ({ administratorId }, premises) => store.inside(administratorId, premises),
        start: Effect.fnUntraced(function* ({ administratorId }, { organizationId, kind, note }) {
          return yield* store.start({ organizationId, administratorId, kind, note, now: yield* now })
        }),
        list: ({ administratorId }, organizationId) => store.list(administratorId, organizationId),
        get: ({ administratorId }, musterId) => store.get(administratorId, musterId),
        mark: Effect.fnUntraced(function* ({ administratorId }, musterId, marking) {
          return yield* store.mark({ musterId, administratorId, marking, now: yield* now })
        }),
        end: Effect.fnUntraced(function* ({ administratorId }, musterId) {
          return yield* store.end({ musterId, administratorId, now: yield* now })
        }),
        forget: (retention) => forgetOlder(retention, AT_ONCE, store.forget)
      })
    })
  )
}
