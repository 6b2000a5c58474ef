/** Fixtures of the laws of personal data: people about whom everything is stored, and expected answers. */
import {
  type DataSubject,
  type Erased,
  type ErasureEntry,
  FavoriteStore,
  type OrganizationId,
  PersonalDataStore,
  PlacePremises,
  type RetryKey,
  type Timestamp,
  NOTHING_ERASED
} from "@sojourn/core"
import { Effect } from "effect"
import { NOW, after } from "../../arbitraries/times.ts"
import {
  type OrganizationFixture,
  aBoundAdministrator,
  aPerson,
  aPlace,
  aUserLinkedTo,
  anOrganization,
  enter,
  leave,
  someUser,
  unused
} from "./fixtures.ts"

export const collect = (subject: DataSubject) => PersonalDataStore.use((store) => store.collect(subject))

export const erase = (subject: DataSubject, now: Timestamp = NOW) =>
  PersonalDataStore.use((store) => store.erase(subject, now))

export const ledgerOf = (organizationId: OrganizationId) =>
  PersonalDataStore.use((store) => store.ledger(organizationId))

/** An answer in which these alone are not 0. */
export const erased = (counts: Partial<Erased>): Erased => ({ ...NOTHING_ERASED, ...counts })

/** An entry of the day of `NOW` in which these alone are not 0. */
export const entry = (
  organizationId: OrganizationId,
  sums: Partial<Omit<ErasureEntry, "organizationId">>
): ErasureEntry => ({ organizationId, day: "2026-03-01", people: 1, accesses: 0, openStays: 0, totalTime: 0, ...sums })

/** An organization that knows people, with a place. */
export const anOrganizationWithPlace = Effect.gen(function* () {
  const fixture = yield* anOrganization({ trackingMode: "authenticated" })
  const place = yield* aPlace(fixture)
  return { fixture, place, inPlace: PlacePremises(place.id) }
})

export type OrganizationWithPlace = Effect.Success<typeof anOrganizationWithPlace>

/** A stay that began and ended. */
export const stayed = Effect.fnUntraced(function* (
  premises: OrganizationWithPlace["inPlace"] | OrganizationFixture["premises"],
  by: ReturnType<typeof someUser>,
  milliseconds: number
) {
  const opened = yield* enter(premises, { by, timestamp: after(NOW, -milliseconds) })
  return yield* leave(opened, { by, timestamp: NOW })
})

/**
 * A linked user with two accesses of the organization and two of the place, who is inside both, with a retry key each; a
 * favorite; and an administrator whose permission names the person.
 */
export const aKnownPerson = Effect.fnUntraced(function* ({ fixture, inPlace }: OrganizationWithPlace) {
  const { id } = fixture
  const person = aPerson()
  const user = yield* aUserLinkedTo(id, person)
  const accesses = [
    yield* stayed(inPlace, user, 90_500),
    yield* stayed(fixture.premises, user, 60_000),
    yield* stayed(inPlace, user, 30_600),
    yield* stayed(fixture.premises, user, 0)
  ]
  const openStays = []
  for (const premises of [fixture.premises, inPlace]) {
    openStays.push(yield* enter(premises, { by: user, key: unused("retry") as RetryKey }))
  }
  const favorite = { userId: user, organizationId: id, orgAuthServerId: person, creationDate: NOW }
  yield* FavoriteStore.use((store) => store.add(favorite))
  const administrator = yield* aBoundAdministrator(fixture, "viewer", { orgAuthServerId: person })
  return { user, person, accesses, openStays, favorite, administrator }
})

/** What erasing a resident answers; whether their favorite is their own or that of a user who is not erased. */
export const ERASED_PERSON = erased({ accountLinks: 1, accesses: 4, openStays: 2, retriedEntrances: 2 })
