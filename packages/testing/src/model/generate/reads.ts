/** Everything that can be read, to compare the states of two services. */
import type { Administrator, User, Webhook } from "@sojourn/core"
import { Effect, Option } from "effect"
import { type At, pick, premises, request, type Request } from "../Request.ts"
import { BEGINNING, everyPremises, isAt, type KnownOrganization, type World } from "../World.ts"
import { listOrganizations, listPlaces } from "./organizations.ts"
import { listFavorites, likelyPerson, someQuestion } from "./people.ts"
import { readHistory, readMuster, webhookOf } from "./presence.ts"
import { accessesByToken, accessesOf } from "./stays.ts"
import {
  ADMINISTRATORS,
  ANY_PERSON,
  at as organizationOfPremises,
  type Make,
  OPERATOR,
  organizationOf,
  organizationRef,
  type Scene,
  someAdministrator,
  somePremises,
  someUser,
  userAt,
  USERS
} from "./subjects.ts"

export const counter = (by: Administrator, where: At) =>
  request("ReadCounter", by, { at: where }, (s, a) => s.presence.counter(by, premises(a.at)))

const accessesOfPeople = (by: Administrator, where: At, people = ANY_PERSON) =>
  request(
    "ReadAccessesOfPeople",
    by,
    { at: where, people },
    (s, a) => accessesOf(s.accesses.ofPeople(by, premises(a.at), people)),
    {
      isUnordered: true
    }
  )

/** What can be read of some premises. */
const ofPremises = (by: Administrator, where: At): ReadonlyArray<Request> => [
  counter(by, where),
  request("ReadCapacity", by, { at: where }, (s, a) =>
    pick(s.capacities.get(by, premises(a.at)), ["premises", "inside", "capacity", "level"])
  ),
  request("ListInside", by, { at: where }, (s, a) => s.musters.inside(by, premises(a.at))),
  accessesOfPeople(by, where),
  ...("place" in where
    ? [request("ReadReport", by, { place: where.place }, (s, a) => s.reports.timePerUser(by, a.place))]
    : [])
]

const feed = (by: Administrator, { ref }: KnownOrganization) =>
  request("ReadFeed", by, { organization: ref }, (s, a) => s.feed.read(by, a.organization))

/** Who may read everything of an organization: its administrator with the highest level who can call. */
export const readerOf = ({ permissions }: KnownOrganization): Administrator => {
  const callers = permissions.map(({ administrator, level }) => ({
    level,
    who: ADMINISTRATORS.find((one) => one.administratorId === administrator.id)
  }))
  return callers.find(({ level, who }) => level === "owner" && who !== undefined)?.who ?? ADMINISTRATORS[0]!
}

/** What can be read of an organization itself. */
const ofOrganization = (by: Administrator, one: KnownOrganization): ReadonlyArray<Request> => [
  feed(by, one),
  request("ReadOrganization", by, { organization: one.ref }, (s, a) => s.organizations.get(by, a.organization), {
    id: "organizationId"
  }),
  listPlaces(by, one.ref),
  request("ListPermissions", by, { organization: one.ref }, (s, a) =>
    s.administrators.listByOrganization(by, a.organization)
  ),
  request("ListMusters", by, { organization: one.ref }, (s, a) => s.musters.list(by, a.organization), {
    id: "musterId"
  }),
  ...one.musters.map(({ ref }) => readMuster(by, ref)),
  request("ListWebhooks", by, { organization: one.ref }, (s, a) =>
    Effect.map(s.webhooks.list(by, a.organization), (all) => (all as ReadonlyArray<Webhook>).map(webhookOf))
  )
]

const ownAccesses = (user: User, where: At, people = ANY_PERSON.slice(0, 1)) =>
  request(
    "ReadOwnAccesses",
    user,
    { at: where, people },
    (s, a) => accessesOf(s.accesses.own(user, premises(a.at), people)),
    { isUnordered: true }
  )

export const listRequests = () =>
  request("ListDeletionRequests", OPERATOR, {}, (s) => s.deletionRequests.list(OPERATOR, Option.none()), {
    id: "requestId"
  })

export const listOwnPermissions = (by: Administrator) =>
  request("ListOwnPermissions", by, {}, (s) => s.administrators.listOwn(by), { isUnordered: true })

/** What can be read of some organizations, but for their histories. */
export const readsOf = (organizations: ReadonlyArray<KnownOrganization>): ReadonlyArray<Request> =>
  organizations.flatMap((one) => {
    const by = readerOf(one)
    return [
      ...ofOrganization(by, one),
      ...everyPremises(one).flatMap((where) => ofPremises(by, where)),
      // Only their own accesses show to whom users are linked.
      ...USERS.map((user) =>
        ownAccesses(
          user,
          { organization: one.ref },
          one.links
            .filter(({ userId }) => userId === user.userId)
            .map(({ person }) => person)
            .concat(ANY_PERSON)
            .slice(0, 1)
        )
      )
    ]
  })

export const historiesOf = (organizations: ReadonlyArray<KnownOrganization>, now: number): ReadonlyArray<Request> =>
  organizations.flatMap((one) =>
    everyPremises(one).flatMap((where) => [
      readHistory(readerOf(one), where, "minute", now - 15 * 60_000, now + 1),
      readHistory(readerOf(one), where, "day", BEGINNING, now + 1)
    ])
  )

/** How many tokens a list may ask for. */
const MAX_TOKENS = 100

/** What can be read beside that. */
export const readsOfAll = ({ organizations, stays }: World): ReadonlyArray<Request> => [
  ...USERS.map((user) => listFavorites(user)),
  ...ADMINISTRATORS.map(listOwnPermissions),
  listRequests(),
  ...organizations.flatMap(everyPremises).flatMap((where) => {
    const tokens = stays.filter((stay) => isAt(stay.at, where)).map(({ token }) => token)
    return tokens.length === 0 ? [] : [accessesByToken(USERS[0]!, where, tokens.slice(-MAX_TOKENS))]
  })
]

/** A reading by anybody, mostly of what they may read. */
export const someReading: Make = (scene: Scene) => {
  const { draw } = scene
  const where = somePremises(scene)
  const known = organizationOfPremises(scene, where)
  const by = someAdministrator(scene, known, "viewer")
  const user = userAt(scene, known)
  const person = known === undefined ? ANY_PERSON[0]! : likelyPerson(scene, known.ref, user)
  return draw.weighted<Request>([
    [14, () => draw.pick(ofPremises(by, where))],
    [7, () => ownAccesses(user, where, draw.chance(0.1) ? [person, draw.pick(ANY_PERSON)] : [person])],
    [3, () => (known === undefined ? listRequests() : draw.pick(ofOrganization(by, known)))],
    [2, () => listOrganizations(scene)],
    [
      1,
      () => {
        const organization = organizationRef(scene)
        return listPlaces(
          draw.pick([someUser(scene), someAdministrator(scene, organizationOf(scene, organization), "viewer")]),
          organization
        )
      }
    ],
    [1, () => listOwnPermissions(by)],
    [2, () => someQuestion(scene)]
  ])
}
