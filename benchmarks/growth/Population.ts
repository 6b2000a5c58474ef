/** The organizations, places and people that a history is about, created through the stores. */
import {
  AccountLinkStore,
  AdministratorId,
  boundsOf,
  Mail,
  type OrganizationId,
  OrganizationPremises,
  OrganizationStore,
  OrgAuthServerId,
  parseTrackingArea,
  type PlaceId,
  PlacePremises,
  PlaceStore,
  type Premises,
  Timestamp,
  type TrackingMode,
  UserId,
  vouchedAccount
} from "@sojourn/core"
import { Effect, Result } from "effect"

/** How many there are of everything that a history of stays is about. */
export interface PopulationSize {
  /** Half of them track anonymously, half know their people. */
  readonly organizations: number
  readonly placesEach: number
  /** People that each organization which knows them is linked to. */
  readonly peopleEach: number
}

/** Some premises with what a stay there needs. */
export interface Site {
  readonly premises: Premises
  readonly organizationId: OrganizationId
  /** 0: the organization as a whole. */
  readonly placeId: PlaceId | 0n
  readonly mode: TrackingMode
  /** Who may read what happens there. */
  readonly owner: AdministratorId
  /** The people whom their organization knows; none where it tracks anonymously. */
  readonly people: ReadonlyArray<Person>
}

/** A user with who they are at an organization. */
export interface Person {
  readonly userId: UserId
  readonly orgAuthServerId: OrgAuthServerId
}

/** Every site, by how it tracks. */
export type Population = Readonly<Record<TrackingMode, ReadonlyArray<Site>>>

const AREA = Result.getOrThrow(
  parseTrackingArea('{"type":"Polygon","coordinates":[[[11.8,45.3],[11.9,45.3],[11.9,45.4],[11.8,45.3]]]}')
)

/** Who the people of the organization are called; the history is filled with these names as well. */
export const personOf = (organizationId: OrganizationId | bigint, index: number) => `person-${organizationId}-${index}`

/** One organization with its places and people: the organization as a whole, then each of its places. */
export const settleOrganization = Effect.fnUntraced(function* (
  name: string,
  trackingMode: TrackingMode,
  { placesEach, peopleEach }: Pick<PopulationSize, "placesEach" | "peopleEach">
) {
  const owner = { administratorId: AdministratorId.make(`owner-${name}`), mail: Mail.make(`${name}@example.org`) }
  const { id: organizationId } = yield* OrganizationStore.use((store) =>
    store.create({
      organization: { name, trackingArea: AREA, trackingMode },
      owner,
      now: Timestamp(Date.now()),
      decide: (accounts) => vouchedAccount(owner, accounts)
    })
  )
  const people: ReadonlyArray<Person> = Array.from(
    { length: trackingMode === "anonymous" ? 0 : peopleEach },
    (_, index) => ({
      userId: UserId.make(`user-${organizationId}-${index}`),
      orgAuthServerId: OrgAuthServerId.make(personOf(organizationId, index))
    })
  )
  yield* Effect.forEach(people, (person) => AccountLinkStore.use((store) => store.put({ organizationId, ...person })), {
    concurrency: 32,
    discard: true
  })
  const site = { organizationId, mode: trackingMode, owner: owner.administratorId, people }
  const sites: Array<Site> = [{ ...site, premises: OrganizationPremises(organizationId), placeId: 0n }]
  for (let index = 0; index < placesEach; index++) {
    const place = yield* PlaceStore.use((store) =>
      store.create({
        organizationId,
        administratorId: owner.administratorId,
        bounds: boundsOf(AREA),
        decide: () =>
          Result.succeed({
            place: { organizationId, name: `place ${index}`, trackingArea: AREA },
            position: { floor: 0, ancestors: [] }
          })
      })
    )
    sites.push({ ...site, premises: PlacePremises(place.id), placeId: place.id })
  }
  return sites
})

/** Makes the organizations, their places and the links of their people, through the stores. */
export const settle = Effect.fnUntraced(function* (size: PopulationSize) {
  const population = { anonymous: [] as Array<Site>, authenticated: [] as Array<Site> }
  for (let index = 0; index < size.organizations; index++) {
    const mode = index % 2 === 0 ? "anonymous" : "authenticated"
    population[mode].push(...(yield* settleOrganization(`organization-${index}`, mode, size)))
  }
  return population satisfies Population
})

/** One of some things, each as likely as the others. */
export const drawFrom = <A>(all: ReadonlyArray<A>): A => all[Math.floor(Math.random() * all.length)]!
