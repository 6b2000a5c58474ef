/** Use cases on musters, and their retention. */
import * as Context from "effect/Context"
import type * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Semaphore from "effect/Semaphore"
import type { Administrator } from "../../domain/accounts/Caller.ts"
import type { AdministratorId, MusterId, OrganizationId, PlaceId } from "../../domain/shared/Ids.ts"
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
  PersonInside,
  SweptPlaceUnknown,
  TooManyAdded
} from "../../domain/musters/Muster.ts"
import type { OrganizationNotFound } from "../../domain/organizations/Organization.ts"
import type { PermissionTooLow } from "../../domain/accounts/Permission.ts"
import { OrganizationPremises, PlacePremises, type Premises } from "../../domain/shared/Premises.ts"
import type { PremisesNotFound } from "../../domain/stays/Stay.ts"
import type { PermissionStore } from "../../ports/accounts/PermissionStore.ts"
import type { AuditLog } from "../../ports/audit/AuditLog.ts"
import { authorIn } from "../audit/authors.ts"
import { MusterStore } from "../../ports/musters/MusterStore.ts"
import type { StoreError } from "../../ports/shared/StoreError.ts"
import { forgetOlder } from "../shared/forgetting.ts"
import { now } from "../shared/now.ts"
import { makeShared } from "../shared/sharing.ts"
import { Readings } from "../audit/Readings.ts"
import { byCaller } from "../audit/byCaller.ts"

/** How many musters one statement forgets. */
const MAX_FORGOTTEN_MUSTERS = 100

/** How many operations on crowds a store executes at once: each takes a connection and much of a processor. */
const AT_ONCE = 4

/**
 * Lists who is inside, and holds musters: lists of who was, with who of them is safe. Concurrent calls about one muster, one
 * organization or one place share operations of the store.
 */
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
    /** Marks people as safe, takes marks back, keeps how many are at the muster point, or which places were searched. For viewers, until the muster ends. */
    readonly mark: (
      viewer: Administrator,
      musterId: MusterId,
      marking: Marking
    ) => Effect.Effect<
      MusterReport,
      MusterNotFound | PermissionTooLow | MarkingNotOfMode | SweptPlaceUnknown | MusterEnded | TooManyAdded | StoreError
    >
    /** Ends a muster: it stays as it is in that moment. One that has ended is answered unchanged. For managers. */
    readonly end: (
      manager: Administrator,
      musterId: MusterId
    ) => Effect.Effect<MusterReport, MusterNotFound | PermissionTooLow | StoreError>
    /** Forgets musters that ended longer ago than `retention`, and answers how many; to be run periodically. */
    readonly forget: (retention: Duration.Input) => Effect.Effect<number, StoreError>
  }
>()("@sojourn/core/Musters") {
  static readonly layer: Layer.Layer<Musters, never, AuditLog | MusterStore | PermissionStore> = Layer.effect(
    Musters,
    Effect.gen(function* () {
      const store = yield* MusterStore
      const readings = yield* Readings
      const permits = yield* Semaphore.make(AT_ONCE)
      const insideOrganization = yield* makeShared(
        permits,
        (id: OrganizationId, readers: ReadonlyArray<AdministratorId>) => store.inside(OrganizationPremises(id), readers)
      )
      const insidePlace = yield* makeShared(permits, (id: PlaceId, readers: ReadonlyArray<AdministratorId>) =>
        store.inside(PlacePremises(id), readers)
      )
      const list = yield* makeShared(permits, store.list)
      const get = yield* makeShared(permits, store.get)
      const mark = yield* makeShared(permits, store.mark)
      const end = yield* makeShared(permits, store.end)
      return Musters.of(
        byCaller({
          inside: Effect.fnUntraced(function* (viewer, premises) {
            const people = yield* premises._tag === "OrganizationPremises"
              ? insideOrganization(premises.organizationId, viewer.administratorId)
              : insidePlace(premises.placeId, viewer.administratorId)
            const count = new Set(people.map(({ orgAuthServerId }) => orgAuthServerId)).size
            yield* readings.record(viewer, { premises, count })
            return people
          }),
          start: Effect.fnUntraced(function* ({ administratorId }, { organizationId, kind, note }) {
            return yield* store.start({ organizationId, administratorId, kind, note, now: yield* now })
          }),
          list: ({ administratorId }, organizationId) => list(organizationId, administratorId),
          get: Effect.fnUntraced(function* (viewer, musterId) {
            const muster = yield* get(musterId, viewer.administratorId)
            const target = { kind: "muster", id: `${musterId}` }
            const count = muster.people?.length ?? 0
            yield* readings.record(viewer, { premises: OrganizationPremises(muster.organizationId), target, count })
            return muster
          }),
          mark: Effect.fnUntraced(function* ({ administratorId }, musterId, marking) {
            const author = authorIn(yield* Effect.context<never>())
            return yield* mark(musterId, { administratorId, marking, now: yield* now, author })
          }),
          end: Effect.fnUntraced(function* ({ administratorId }, musterId) {
            const author = authorIn(yield* Effect.context<never>())
            return yield* end(musterId, { administratorId, now: yield* now, author })
          }),
          forget: (retention) => forgetOlder(retention, MAX_FORGOTTEN_MUSTERS, store.forget)
        })
      )
    })
  ).pipe(Layer.provide(Readings.layer))
}
