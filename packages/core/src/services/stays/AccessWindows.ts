import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as Semaphore from "effect/Semaphore"
import type { Administrator } from "../../domain/accounts/Caller.ts"
import type { PermissionTooLow } from "../../domain/accounts/Permission.ts"
import { DEFAULT_TIME_ZONE } from "../../domain/shared/LocalTime.ts"
import type { AccessPosition, PositionUnknown } from "../../domain/keys/AccessPositions.ts"
import type { PeopleNotTracked } from "../../domain/musters/Muster.ts"
import { OrganizationNotFound } from "../../domain/organizations/Organization.ts"
import { placeName, type PlaceNotFound } from "../../domain/organizations/Place.ts"
import type { OrgAuthServerId } from "../../domain/shared/Ids.ts"
import type { Premises } from "../../domain/shared/Premises.ts"
import { requireWindow, type TimeWindowInvalid } from "../../domain/shared/TimeWindow.ts"
import type { AuthenticatedAccess } from "../../domain/stays/Access.ts"
import {
  type AccessPage,
  accessPage,
  type AccessWindow,
  isListed,
  listOf,
  MAX_RUN,
  type StayPosition
} from "../../domain/stays/AccessWindow.ts"
import type { ClosedStay, PremisesNotFound } from "../../domain/stays/Stay.ts"
import { OrganizationStore } from "../../ports/organizations/OrganizationStore.ts"
import { PlaceStore } from "../../ports/organizations/PlaceStore.ts"
import { StayPolicyStore } from "../../ports/policies/StayPolicyStore.ts"
import { StayLog } from "../../ports/stays/StayLog.ts"
import type { StoreError } from "../../ports/shared/StoreError.ts"
import type { PermissionStore } from "../../ports/accounts/PermissionStore.ts"
import type { AuditLog } from "../../ports/audit/AuditLog.ts"
import { personAsked } from "../../domain/audit/AuditEntry.ts"
import { Readings } from "../audit/Readings.ts"
import { ExitTokens } from "../keys/ExitTokens.ts"
import { makeKeyedLimiter } from "../shared/KeyedLimiter.ts"

/** How many pages are read and encoded at once, over all callers: each takes a connection, and the processor for milliseconds. */
const AT_ONCE = 2

/** How many stays one statement reads at most: other requests wait while a row of each is decoded, and its memory grows the heap. */
const MAX_STAYS_READ = 250

/** A part of the accesses of a window. */
export interface AccessListing extends AccessWindow {
  /** How many accesses at most. */
  readonly limit: number
  /** Where the part before ended, as it was answered; undefined: from the first. */
  readonly after: string | undefined
  /** Whom the parts before answered, where they make one file. The people of this part are added. */
  readonly answered?: Set<OrgAuthServerId> | undefined
}

/** A part of a list, and what the next one is after; undefined at the end. */
export interface AccessesListed {
  readonly accesses: ReadonlyArray<AuthenticatedAccess>
  readonly next: string | undefined
}

/** What a file of accesses is named by, and the time zone of its local times. */
export interface AccessFile {
  readonly organization: string
  /** None: of an organization. */
  readonly place: string | undefined
  readonly timeZone: string
}

type Unread = PremisesNotFound | PermissionTooLow | PeopleNotTracked | StoreError

/** Lists the accesses of a window of time to viewers of authenticated organizations (spec: stays#window). */
export class AccessWindows extends Context.Service<
  AccessWindows,
  {
    /**
     * Reads a part of the accesses and answers what `use` makes of it. Callers take turns: a caller reads one part at a time, and all of them
     * {@link AT_ONCE}, until `use` has ended. The caller's level is required anew for each part.
     */
    readonly list: <A, E, R>(
      viewer: Administrator,
      listing: AccessListing,
      use: (listed: AccessesListed) => Effect.Effect<A, E, R>
    ) => Effect.Effect<A, TimeWindowInvalid | PositionUnknown | Unread | E, R>
    /** What names a file of accesses. To be read after a part was listed, which requires the level. */
    readonly file: (
      viewer: Administrator,
      premises: Premises
    ) => Effect.Effect<AccessFile, OrganizationNotFound | PlaceNotFound | StoreError>
  }
>()("@sojourn/core/AccessWindows") {
  static readonly layer: Layer.Layer<
    AccessWindows,
    never,
    AuditLog | StayLog | ExitTokens | OrganizationStore | PermissionStore | PlaceStore | StayPolicyStore
  > = Layer.effect(
    AccessWindows,
    Effect.gen(function* () {
      const stays = yield* StayLog
      const whenKnown = yield* ExitTokens
      const organizations = yield* OrganizationStore
      const places = yield* PlaceStore
      const policies = yield* StayPolicyStore
      const readings = yield* Readings

      const turns = Semaphore.makeUnsafe(AT_ONCE)
      const inTurn = makeKeyedLimiter<never>({ concurrency: 1, mostOfKey: Infinity }, () => {
        throw new TypeError("no turn is refused")
      })

      /** Reads stays until there is a page. */
      const readPage = Effect.fnUntraced(function* (
        { administratorId }: Administrator,
        window: AccessWindow,
        { limit, position }: { readonly limit: number; readonly position: AccessPosition | undefined }
      ) {
        const { accessIds } = yield* whenKnown
        const accesses: Array<AuthenticatedAccess> = []
        // The last access of the page before is read again, and one more shows whether there is a next page.
        const most = Math.min(limit + 2, MAX_STAYS_READ)
        let readUntil: StayPosition | undefined =
          position === undefined ? undefined : { entrance: position.entrance, id: position.after }
        let page: AccessPage | undefined
        while (page === undefined) {
          const found: ReadonlyArray<ClosedStay> = yield* stays.closedInWindow(administratorId, {
            ...window,
            after: readUntil,
            most
          })
          const ids = accessIds(found.map(({ id }) => id))
          found.forEach((stay, i) => {
            const { orgAuthServerId } = stay
            if (orgAuthServerId === undefined) return
            const access = { id: ids[i]!, stay, orgAuthServerId }
            if (!isListed(position, access)) accesses.push(access)
          })
          readUntil = found.length < most ? undefined : found.at(-1)
          page = accessPage({ accesses, readUntil, position, limit, maxRun: MAX_RUN })
        }
        return page
      })

      const listNow = Effect.fnUntraced(function* (
        viewer: Administrator,
        { limit, after, answered = new Set(), ...window }: AccessListing
      ) {
        const { positions } = yield* whenKnown
        const position =
          after === undefined ? undefined : yield* Effect.fromResult(positions.read(listOf(window), after))
        const { accesses, next } = yield* readPage(viewer, window, { limit, position })
        accesses.forEach(({ orgAuthServerId }) => answered.add(orgAuthServerId))
        // Of a file the first part is recorded before it is answered, and all people with the last one.
        if (after === undefined || next === undefined) {
          const { premises, people = [] } = window
          yield* readings.record(viewer, { premises, target: personAsked(people), count: answered.size })
        }
        // What is made of them is another turn of the event loop.
        yield* Effect.yieldNow
        return { accesses, next: next && positions.write(listOf(window), next) }
      })

      return AccessWindows.of({
        list: (viewer, listing, use) =>
          Effect.andThen(
            Effect.fromResult(requireWindow(listing)),
            inTurn(viewer.administratorId, turns.withPermit(Effect.flatMap(listNow(viewer, listing), use)))
          ),

        file: Effect.fnUntraced(function* ({ administratorId }, premises) {
          const place =
            premises._tag === "PlacePremises"
              ? (yield* places.previewUpdate({ placeId: premises.placeId, administratorId, bounds: undefined })).facts
                  .place
              : undefined
          const organizationId =
            premises._tag === "OrganizationPremises" ? premises.organizationId : place!.organizationId
          const organization = yield* organizations.get(organizationId)
          if (Option.isNone(organization)) return yield* new OrganizationNotFound({ organizationId })
          const { timeZone = DEFAULT_TIME_ZONE } = yield* policies.get(organizationId)
          return { organization: organization.value.name, place: place && placeName(place), timeZone }
        })
      })
    })
  ).pipe(Layer.provide(Readings.layer))
}
