/** Organizations, places and people of each law's own, so that suites may share one database. */
import {
  AccountLinkStore,
  AdministratorId,
  allPages,
  boundsOf,
  type DeletionRequest,
  DeletionRequestStore,
  DeviceId,
  DisplayCaller,
  type FavoriteId,
  FavoriteStore,
  Mail,
  type NewOrganization,
  type NewPlace,
  type Opened,
  OperatorId,
  type Organization,
  OrganizationId,
  OrganizationPremises,
  OrganizationStore,
  OrgAuthServerId,
  type Permission,
  type PermissionLevel,
  PermissionStore,
  type Place,
  type PlaceChanges,
  type PlaceCreated,
  PlaceId,
  PlacePremises,
  PlaceStore,
  type Premises,
  type Reader,
  type RetryKey,
  type StayLocator,
  StayLog,
  type Timestamp,
  type TrackingArea,
  type TrackingMode,
  UserId,
  vouchedAccount
} from "@sojourn/core"
import * as SecureRandom from "effect/crypto/SecureRandom"
import { Effect, Option, Result } from "effect"
import { type GridRectangle, rectangleArea, wholeGrid } from "../../arbitraries/areas.ts"
import { SERVERS } from "../../arbitraries/organizations.ts"
import { NOW } from "../../arbitraries/times.ts"

/** Text that is unique in all runs on all databases. */
export const unused = (what: string): string => `${what}-${SecureRandom.uuidV4Unsafe()}`

export const someUser = (): UserId => UserId.make(unused("user"))
export const someAdministrator = (): AdministratorId => AdministratorId.make(unused("administrator"))
export const someMail = (): Mail => Mail.make(`${unused("Mail").slice(0, 41)}@Example.org`)
export const aPerson = (): OrgAuthServerId => OrgAuthServerId.make(unused("uid=ada,ou=people"))

/** The largest id, which no store of a test issues. */
export const NEVER_ISSUED = 9223372036854775807n
export const NO_ORGANIZATION = OrganizationId.make(NEVER_ISSUED)
export const NO_PLACE = PlaceId.make(NEVER_ISSUED)

/** An organization that was never created, in the place of one that was. */
export const neverCreated = (fixture: OrganizationFixture): OrganizationFixture => ({ ...fixture, id: NO_ORGANIZATION })

/** Premises that were never created. */
export const MISSING_PREMISES: ReadonlyArray<Premises> = [
  OrganizationPremises(NO_ORGANIZATION),
  PlacePremises(NO_PLACE)
]

/** An operator of the tests. */
export const OPERATOR = OperatorId.make("operator")

/** An organization that one law created, with its first owner. */
export interface OrganizationFixture {
  readonly id: OrganizationId
  readonly organization: Organization
  readonly premises: Premises
  readonly owner: AdministratorId
  readonly ownerMail: Mail
}

/** A new organization on a whole grid of 8 cells, anonymous unless said otherwise. */
export const anOrganization = Effect.fnUntraced(function* (fields: Partial<NewOrganization> = {}, now = NOW) {
  const owner = someAdministrator()
  const ownerMail = someMail()
  const organization = yield* OrganizationStore.use((store) =>
    store.create({
      organization: {
        name: unused("organization"),
        trackingArea: rectangleArea(wholeGrid(8)),
        trackingMode: "anonymous",
        authenticationServer: SERVERS[0],
        ...fields
      },
      owner: { administratorId: owner, mail: ownerMail },
      now,
      decide: (accounts) => vouchedAccount({ administratorId: owner, mail: ownerMail }, accounts)
    })
  )
  const { id } = organization
  return { id, organization, premises: OrganizationPremises(id), owner, ownerMail } satisfies OrganizationFixture
})

export const cell = (x: number, y = 0): GridRectangle => ({ left: x, bottom: y, right: x + 1, top: y + 1 })

/** A new place of an organization, on its whole area unless said otherwise. */
export const aPlace = (fixture: OrganizationFixture, rectangle: GridRectangle = wholeGrid(8), name?: string) =>
  aPlaceOf(fixture, rectangleArea(rectangle), name)

/** A new place of an organization with an area. */
export const aPlaceOf = (
  { id: organizationId, owner: administratorId }: OrganizationFixture,
  trackingArea: TrackingArea,
  name?: string
) =>
  PlaceStore.use((store) =>
    store.create({
      organizationId,
      administratorId,
      bounds: boundsOf(trackingArea),
      decide: () => Result.succeed(onGround({ organizationId, name, trackingArea }))
    })
  )

/** A new place that is a part of another one, on the same floor. */
export const aPart = (
  { id: organizationId, owner: administratorId }: OrganizationFixture,
  { id: parentId }: Pick<Place, "id">,
  rectangle: GridRectangle
) => {
  const trackingArea = rectangleArea(rectangle)
  const place = { organizationId, name: undefined, trackingArea, parentId }
  return PlaceStore.use((store) =>
    store.create({
      organizationId,
      administratorId,
      bounds: boundsOf(trackingArea),
      decide: () => Result.succeed({ place, position: { floor: 0, ancestors: [parentId] } })
    })
  )
}

/** The decision on a new place without level and parent. */
export const onGround = (place: NewPlace): PlaceCreated => ({ place, position: { floor: 0, ancestors: [] } })

/** The decision on a change of a place that keeps all positions. */
export const inPosition = (place: Place): PlaceChanges => ({ place, positions: [] })

/** A new place on the whole area of an organization, and its premises. */
export const aPlaceToEnter = (fixture: OrganizationFixture) =>
  Effect.map(aPlace(fixture), (place) => ({ place, premises: PlacePremises(place.id) }))

/** Changes a place; `moved` is its new area, if it gets one. */
export const changePlace = (
  { owner: administratorId }: OrganizationFixture,
  { id: placeId }: Pick<Place, "id">,
  change: (place: Place) => Place,
  moved?: TrackingArea
) =>
  PlaceStore.use((store) =>
    store.update({
      placeId,
      administratorId,
      bounds: moved && boundsOf(moved),
      decide: ({ place }) => Result.succeed(inPosition(change(place)))
    })
  )

export const placesOf = (organizationId: OrganizationId) =>
  PlaceStore.use((store) => allPages((after?: PlaceId) => store.list(organizationId, after)))

/** The favorite organizations of a user. */
export const favoritesOf = (userId: UserId) =>
  FavoriteStore.use((store) =>
    Effect.map(
      allPages((after?: FavoriteId) => store.list(userId, after)),
      (favorites) => favorites.map(({ organization }) => organization)
    )
  )

export const removePlace = (fixture: OrganizationFixture, place: Place) =>
  PlaceStore.use((store) =>
    store.remove({ placeId: place.id, administratorId: fixture.owner, decide: () => Result.void })
  )

/** Links a user, a new one unless said, to a person of an organization. */
export const aUserLinkedTo = Effect.fnUntraced(function* (
  organizationId: OrganizationId,
  orgAuthServerId: OrgAuthServerId,
  userId: UserId = someUser()
) {
  yield* AccountLinkStore.use((store) => store.put({ userId, organizationId, orgAuthServerId }))
  return userId
})

export const unlink = ({ id }: Pick<OrganizationFixture, "id">, userId: UserId) =>
  AccountLinkStore.use((store) => store.remove(userId, id))

/** A new person of an organization, and a new user who is linked to them. */
export const aLinkedPerson = Effect.fnUntraced(function* ({ id }: Pick<OrganizationFixture, "id">) {
  const person = aPerson()
  return { person, user: yield* aUserLinkedTo(id, person) }
})

/** Changes an organization as operators do. */
export const changeOrganization = (
  organizationId: OrganizationId,
  change: (organization: Organization) => Organization
) =>
  OrganizationStore.use((store) =>
    store.update({
      organizationId,
      administratorId: Option.none(),
      withPlaces: false,
      decide: ({ organization }) => Result.succeed(change(organization))
    })
  )

export const setTrackingMode = (organizationId: OrganizationId, trackingMode: TrackingMode) =>
  changeOrganization(organizationId, (organization) => ({ ...organization, trackingMode }))

/** Grants a level to an administrator, a new one unless said, whose account it makes. */
export const aBoundAdministrator = Effect.fnUntraced(function* (
  fixture: OrganizationFixture,
  level: PermissionLevel,
  fields: Partial<Permission> = {}
) {
  const permission: Permission = {
    administratorId: someAdministrator(),
    organizationId: fixture.id,
    level,
    mail: someMail(),
    nominatedBy: fixture.owner,
    ...fields
  }
  const { administratorId, mail } = permission
  const account = Option.some({ administratorId, mail })
  const decide = () => Result.succeed({ _tag: "Grant" as const, permission, account })
  const { organizationId } = permission
  yield* PermissionStore.use((store) => store.change({ organizationId, administrator: permission, decide }))
  return permission
})

/** The optional parts of an entrance or an exit. */
export interface MovementOptions {
  readonly by?: UserId
  readonly timestamp?: Timestamp
  readonly claims?: OrgAuthServerId
  readonly now?: Timestamp
}

const claimOf = ({ timestamp, claims, now }: MovementOptions) => ({
  timestamp,
  orgAuthServerId: claims,
  now: now ?? NOW
})

export const enter = (
  premises: Premises,
  {
    by = someUser(),
    key,
    keyId = 0,
    ...options
  }: MovementOptions & { readonly key?: RetryKey; readonly keyId?: number } = {}
) =>
  StayLog.use((log) =>
    log.open({ premises, userId: by, claim: claimOf(options), keyId, retryKey: Option.fromUndefinedOr(key) })
  )

/** What the token of a stay names. */
export const locate = (stay: Opened): StayLocator => ({ organizationId: stay.organizationId, stayId: stay.id })

export const leaveAt = (premises: Premises, stay: StayLocator, { by = someUser(), ...options }: MovementOptions = {}) =>
  StayLog.use((log) => log.close({ premises, stay, userId: by, claim: claimOf(options) }))

export const leave = (stay: Opened, options: MovementOptions = {}) => leaveAt(stay.premises, locate(stay), options)

/** A display of an organization, as it is authenticated: stores of what it reads do not look for it. */
export const displayOf = ({ id }: Pick<OrganizationFixture, "id">) => DisplayCaller(DeviceId.make(NEVER_ISSUED), id)

/** How many are inside, as the owner of the organization, or another reader in their place, reads it. */
export const countIn = (premises: Premises, { owner }: { readonly owner: Reader }) =>
  StayLog.use((log) => log.countOpen(owner, premises))

/** The anonymous ones among closed stays. */
export const closedOf = (premises: Premises, fixture: OrganizationFixture, stays: ReadonlyArray<Pick<Opened, "id">>) =>
  StayLog.use((log) =>
    log.closedByIds(
      fixture.id,
      premises,
      stays.map((stay) => stay.id)
    )
  )

/** The closed stays of people, as the owner of the organization reads them. */
export const closedBy = (
  premises: Premises,
  { owner }: Pick<OrganizationFixture, "owner">,
  people: ReadonlyArray<OrgAuthServerId>
) => StayLog.use((log) => log.closedByPeople(owner, premises, people))

/** The time of people inside a place, as the owner of the organization reads it. */
export const timesIn = (placeId: PlaceId, { owner }: Pick<OrganizationFixture, "owner">) =>
  StayLog.use((log) => log.timePerPerson(owner, placeId))

/** Requests the deletion of an organization as its owner. */
export const aDeletionRequest = (fixture: OrganizationFixture, reason?: string, now: Timestamp = NOW) =>
  DeletionRequestStore.use((store) =>
    store.request({ organizationId: fixture.id, administratorId: fixture.owner, reason, now })
  )

/** Decides a deletion request: approves it, unless said otherwise. */
export const conclude = (
  { id }: Pick<DeletionRequest, "id">,
  verdict: "approved" | "rejected" = "approved",
  decidedBy = OPERATOR,
  now = NOW
) => DeletionRequestStore.use((store) => store.conclude({ id, verdict, decidedBy, now }))

/** Deletes an organization as operators do. */
export const deleteOrganization = (fixture: OrganizationFixture) =>
  Effect.flatMap(aDeletionRequest(fixture), (request) => conclude(request))

/** Premises of a kind, in an organization of their own. */
export const premisesOf = Effect.fnUntraced(function* (
  kind: "organization" | "place",
  fields: Partial<NewOrganization> = {}
) {
  const fixture = yield* anOrganization(fields)
  if (kind === "organization") return { fixture, premises: fixture.premises }
  const place = yield* aPlace(fixture)
  return { fixture, premises: PlacePremises(place.id) as Premises }
})
