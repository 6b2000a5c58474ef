/** Stays kept in memory, by premises and by person. */
import {
  admit,
  byPerson,
  type ClosedStay,
  ClosedStayOrder,
  endOfLeftBehind,
  ExitNotMatched,
  isLeftBehind,
  mayListInside,
  type Opened,
  type OpenStay,
  type OrgAuthServerId,
  ownAccesses,
  type PermissionTooLow,
  PlacePremises,
  type Premises,
  type PremisesNotFound,
  type Reader,
  RETRY_KEY_LIFETIME,
  settle,
  type StayId,
  StayLog,
  type StayPosition,
  timeInside,
  type Timestamp,
  type UserId
} from "@sojourn/core"
import { Effect, Option, Result } from "effect"
import { atomically } from "../state/atomically.ts"
import { answeredInside, appendChange } from "../feed/feed.ts"
import {
  endOpen,
  everyStays,
  findPremises,
  levelIn,
  type OrganizationRecord,
  type PremisesStays,
  requireViewer,
  requirePremises,
  type State
} from "../state/State.ts"

const factsFor = (organization: OrganizationRecord, userId: UserId) => ({
  mode: organization.data.trackingMode,
  linked: Option.fromUndefinedOr(organization.personByUser.get(userId))
})

const forgetOldRetries = (stays: PremisesStays, now: Timestamp): void => {
  for (const [key, { usedAt }] of stays.retries) {
    // Also one of a clock that was ahead.
    if (Math.abs(now - usedAt) < RETRY_KEY_LIFETIME) return
    stays.retries.delete(key)
  }
}

const keepOpen = (state: State, stays: PremisesStays, stay: OpenStay, now: Timestamp): void => {
  appendChange(state, stays, { entered: 1, isAnonymous: stay.orgAuthServerId === undefined, at: now })
  stays.open.set(stay.id, stay)
  stays.recorded.set(stay.id, now)
  if (stay.orgAuthServerId !== undefined) stays.openByPerson.set(stay.orgAuthServerId, stay)
}

/** Keeps a stay that ends by an exit. */
export const keepClosed = (state: State, stays: PremisesStays, stay: ClosedStay, now: Timestamp): void => {
  const isAnonymous = stay.orgAuthServerId === undefined
  appendChange(state, stays, { left: 1, exits: 1, stayed: stay.exit - stay.entrance, isAnonymous, at: now })
  stays.exits++
  endOpen(stays, stay)
  stays.closed.set(stay.id, stay)
  if (stay.orgAuthServerId === undefined) return
  const history = stays.closedByPerson.get(stay.orgAuthServerId)
  if (history === undefined) stays.closedByPerson.set(stay.orgAuthServerId, [stay])
  else history.push(stay)
}

/** The person's open stays that an entrance into a place leaves behind. */
const leftBehind = (
  { places, policy, data }: OrganizationRecord,
  entered: Premises,
  person: OrgAuthServerId | undefined
): ReadonlyArray<OpenStay> => {
  if (policy.exclusivePlaces !== true || data.trackingMode !== "authenticated" || person === undefined) return []
  if (entered._tag !== "PlacePremises") return []
  const { ancestors } = places.get(entered.placeId)!.position
  return [...places.values()]
    .flatMap(({ stays }) => stays.openByPerson.get(person) ?? [])
    .filter((stay) => isLeftBehind(stay, entered, ancestors))
}

const closedOf = (
  { closedByPerson }: PremisesStays,
  people: ReadonlyArray<OrgAuthServerId>
): ReadonlyArray<ClosedStay> =>
  [...new Set(people)].flatMap((person) => closedByPerson.get(person) ?? []).sort(ClosedStayOrder)

const isAfter = (stay: ClosedStay, position: StayPosition | undefined): boolean =>
  position === undefined ||
  stay.entrance > position.entrance ||
  (stay.entrance === position.entrance && stay.id > position.id)

/** What an administrator who is bound to the organization, or a display of it, reads of the stays. */
const read = <A>(
  state: State,
  reader: Reader,
  premises: Premises,
  of: (stays: PremisesStays, organization: OrganizationRecord) => A
): Effect.Effect<A, PremisesNotFound | PermissionTooLow> =>
  atomically(function* () {
    const found = yield* requirePremises(state, premises)
    yield* requireViewer(found.organization, reader)
    return of(found.stays, found.organization)
  })

export const makeStayLog = (state: State): StayLog["Service"] => ({
  open: ({ premises, userId, claim, keyId, retryKey, leaves = [] }) =>
    atomically(function* () {
      const { organization, stays } = yield* requirePremises(state, premises)
      const facts = factsFor(organization, userId)
      const { entrance, person } = yield* admit(facts, claim)
      forgetOldRetries(stays, claim.now)

      const repeated = Option.isSome(retryKey) ? stays.retries.get(retryKey.value) : undefined
      if (repeated !== undefined && claim.now - repeated.usedAt < RETRY_KEY_LIFETIME) {
        return repeated.opened
      }
      const orgAuthServerId = Option.getOrUndefined(person)
      let stay = orgAuthServerId === undefined ? undefined : stays.openByPerson.get(orgAuthServerId)
      const ended: Array<ClosedStay> = []
      for (const leaving of leaves) {
        const open = everyStays(organization).flatMap((one) => one.open.get(leaving.stay.stayId) ?? [])[0]
        if (open === undefined || open.id === stay?.id) return yield* Result.fail(new ExitNotMatched())
        if (open.organizationId !== leaving.stay.organizationId || !leaving.isOf(open.premises)) {
          return yield* Result.fail(new ExitNotMatched())
        }
        ended.push(yield* settle(facts, open, { ...claim, orgAuthServerId: undefined, timestamp: entrance }))
      }
      for (const open of leftBehind(organization, premises, orgAuthServerId)) {
        if (ended.some(({ id }) => id === open.id)) continue
        ended.push({ ...open, _tag: "ClosedStay", exit: endOfLeftBehind(open, entrance) })
      }
      for (const closed of ended) keepClosed(state, findPremises(state, closed.premises)!.stays, closed, claim.now)
      if (stay === undefined) {
        const id = ++state.lastId.stay as StayId
        const organizationId = organization.data.id
        stay = { _tag: "OpenStay", id, organizationId, premises, orgAuthServerId, keyId, entrance }
        keepOpen(state, stays, stay, claim.now)
      }
      const opened: Opened = stay
      if (Option.isSome(retryKey)) stays.retries.set(retryKey.value, { opened, usedAt: claim.now })
      return opened
    }),

  close: ({ premises, stay: locator, userId, claim }) =>
    atomically(function* () {
      const { organization, stays } = yield* requirePremises(state, premises)
      const stay = stays.open.get(locator.stayId) ?? stays.closed.get(locator.stayId)
      if (stay === undefined || stay.organizationId !== locator.organizationId)
        return yield* Result.fail(new ExitNotMatched())
      const closed = yield* settle(factsFor(organization, userId), stay, claim)
      if (stay._tag === "OpenStay") keepClosed(state, stays, closed, claim.now)
      return closed
    }),

  countOpen: (reader, premises) =>
    read(state, reader, premises, (stays, organization) => answeredInside(organization, stays)),

  closedByIds: (_organizationId, premises, ids) =>
    Effect.sync(() => {
      const closed = findPremises(state, premises)?.stays.closed
      return [...new Set(ids)]
        .flatMap((id) => closed?.get(id) ?? [])
        .filter((stay) => stay.orgAuthServerId === undefined)
        .sort(ClosedStayOrder)
    }),

  closedByPeople: (administratorId, premises, people) =>
    read(state, administratorId, premises, (stays) => closedOf(stays, people)),

  closedByUser: (userId, premises, people) =>
    atomically(function* () {
      const found = findPremises(state, premises)
      const linked = Option.fromUndefinedOr(found?.organization.personByUser.get(userId))
      const person = yield* ownAccesses(people, linked)
      return found === undefined ? [] : closedOf(found.stays, [person])
    }),

  timePerPerson: (administratorId, placeId) =>
    read(state, administratorId, PlacePremises(placeId), ({ closedByPerson }) =>
      Array.from(closedByPerson, ([orgAuthServerId, history]) => ({
        orgAuthServerId,
        milliseconds: history.reduce((sum, stay) => sum + (stay.exit - stay.entrance), 0)
      })).sort(byPerson)
    ),

  timePerPersonInside: (administratorId, premises, window) =>
    read(state, administratorId, premises, ({ closedByPerson }) =>
      Array.from(closedByPerson, ([orgAuthServerId, history]) => ({
        orgAuthServerId,
        milliseconds: history.reduce((sum, stay) => sum + timeInside(stay, window), 0)
      }))
        .filter(({ milliseconds }) => milliseconds > 0)
        .sort(byPerson)
    ),

  closedInWindow: (administratorId, { premises, isOwn, from, to, people, after, most }) =>
    atomically(function* () {
      const { organization, stays } = yield* requirePremises(state, premises)
      yield* mayListInside(levelIn(organization, administratorId), organization.data.trackingMode, premises)
      const all = premises._tag === "OrganizationPremises" && !isOwn ? everyStays(organization) : [stays]
      const listed = all.flatMap(({ closedByPerson }) =>
        people === undefined
          ? [...closedByPerson.values()].flat()
          : [...new Set(people)].flatMap((person) => closedByPerson.get(person) ?? [])
      )
      return listed
        .filter((stay) => stay.entrance >= from && stay.entrance < to && isAfter(stay, after))
        .sort(ClosedStayOrder)
        .slice(0, most)
    })
})
