/** Movements, and what is read of stays by their tokens. */
import type { AnonymousAccess, AuthenticatedAccess, OrgAuthServerId, Timestamp, User } from "@sojourn/core"
import { LARGEST_LAG_MS, User as makeUser } from "@sojourn/core"
import { Effect } from "effect"
import { type At, type Outcome, premises, type Ref, request, type Request } from "../Request.ts"
import { isAt, type KnownStay, openStays } from "../World.ts"
import {
  ANY_PERSON,
  at as organizationAt,
  type Make,
  type Scene,
  someAdministrator,
  someCrowd,
  someOrganization,
  somePremises,
  someUser,
  userAt,
  USERS,
  within
} from "./subjects.ts"

const MINUTE = 60_000
const NO_TOKEN = "A".repeat(56)

const claimedPerson = ({ draw }: Scene) => draw.maybe(0.12, () => draw.pick(ANY_PERSON))

export const enter = (
  by: User,
  where: At,
  {
    time,
    person,
    key
  }: { time?: number | undefined; person?: OrgAuthServerId | undefined; key?: string | undefined } = {}
) =>
  request("Enter", by, { at: where, time, person, key }, (s, a) =>
    s.movements.track(by, {
      _tag: "Entrance",
      premises: premises(a.at),
      timestamp: a.time as Timestamp | undefined,
      orgAuthServerId: a.person,
      idempotencyKey: a.key
    })
  )

export const leave = (
  by: User,
  where: At,
  token: Ref<string> | string,
  {
    time,
    person,
    altered
  }: { time?: number | undefined; person?: OrgAuthServerId | undefined; altered?: number | undefined } = {}
) =>
  request("Leave", by, { at: where, token, time, person, altered }, (s, a) => {
    const text = a.token as string
    const nth = (a.altered ?? 0) % text.length
    const exitToken =
      a.altered === undefined ? text : text.slice(0, nth) + (text[nth] === "B" ? "C" : "B") + text.slice(nth + 1)
    return s.movements.track(by, {
      _tag: "Exit",
      premises: premises(a.at),
      exitToken,
      timestamp: a.time as Timestamp | undefined,
      orgAuthServerId: a.person
    })
  })

/** Premises that people can enter, mostly where others were, or where several are known. */
const somewhere = (scene: Scene): At => {
  const { draw, world } = scene
  const known = world.organizations.filter(({ mode, links }) => mode === "authenticated" && links.length > 1)
  const places = known.flatMap((one) => one.places.slice(0, 1).map((place): At => ({ place })))
  const where = draw.prefer(0.4, places, [
    draw.prefer(
      0.4,
      openStays(world).map(({ at }) => at),
      [somePremises(scene)]
    )
  ])
  // Without linked users people seldom try.
  const there = organizationAt(scene, where)
  return there?.mode === "authenticated" && there.links.length === 0 && draw.chance(0.8) ? somePremises(scene) : where
}

export const someEntrance = (scene: Scene, where: At = somewhere(scene)) => {
  const {
    draw,
    world: { now }
  } = scene
  return enter(userAt(scene, organizationAt(scene, where)), where, {
    time: draw.maybe(0.4, () =>
      draw.pick([
        now,
        now,
        now - 1,
        now - 90_000,
        now - 7 * MINUTE,
        now + 1,
        now + 5 * MINUTE,
        now + 5 * MINUTE + 1,
        now - LARGEST_LAG_MS - 1
      ])
    ),
    person: claimedPerson(scene),
    key: draw.maybe(0.3, () => draw.pick(["key-1", "key-2"]))
  })
}

/** The user whose person a stay is of, mostly. */
export const userOf = (scene: Scene, stay: KnownStay, probability = 0.6): User => {
  const known = organizationAt(scene, stay.at)
  const own = known?.links.find(({ person }) => person === stay.person)
  return own !== undefined && scene.draw.chance(probability) ? makeUser(own.userId) : userAt(scene, known)
}

/** Mostly an open stay, often that of a person at a place. */
const someStay = ({ draw, world }: Scene): KnownStay | undefined => {
  const open = openStays(world)
  const known = open.filter(({ at, person }) => "place" in at && person !== undefined)
  const others = draw.pick([world.stays, world.stays, world.stays.slice(-5)])
  return draw.chance(0.67) ? draw.prefer(0.4, known, open.length > 0 ? open : others) : draw.pick(others)
}

export const someExit: Make = (scene) => {
  const {
    draw,
    world: { now }
  } = scene
  const stay = someStay(scene)
  if (stay === undefined) return leave(someUser(scene), somePremises(scene), NO_TOKEN)
  const { entrance, exit = now } = stay
  return leave(
    userOf(scene, stay),
    draw.chance(0.05) ? somePremises(scene) : stay.at,
    draw.chance(0.04) ? draw.pick([NO_TOKEN, "exit", "-", "ä"]) : stay.token,
    {
      time: draw.maybe(0.6, () =>
        draw.pick([
          now,
          now,
          exit,
          entrance,
          entrance - 1,
          entrance + 1,
          now + 5 * MINUTE,
          now + 5 * MINUTE + 1,
          now - LARGEST_LAG_MS - 1,
          now - 1
        ])
      ),
      person: claimedPerson(scene),
      altered: draw.maybe(0.07, () => draw.below(56))
    }
  )
}

/** A manager ends stays of people, or clears premises. */
export const someEnding: Make = (scene) => {
  const {
    draw,
    world: { now }
  } = scene
  const where = someCrowd(scene)
  const by = someAdministrator(scene, organizationAt(scene, where), "manager")
  const withPlaces = draw.chance(0.5)
  if (draw.chance(0.4)) {
    return request("ClearPremises", by, { at: where, withPlaces }, (s, a) =>
      s.stayEndings.clear(by, { premises: premises(a.at), withPlaces: a.withPlaces })
    )
  }
  const people = Array.from({ length: 1 + draw.below(2) }, () => draw.pick(ANY_PERSON))
  const exit = draw.maybe(0.4, () =>
    draw.pick([now, now - 1, now - 90_000, now + 5 * MINUTE, now + 5 * MINUTE + 1, now - LARGEST_LAG_MS - 1])
  )
  return request("EndStays", by, { at: where, withPlaces, people, exit }, (s, a) =>
    s.stayEndings.end(by, {
      premises: premises(a.at),
      withPlaces: a.withPlaces,
      people: a.people,
      exit: a.exit as Timestamp | undefined
    })
  )
}

/** Sends an earlier movement again. */
export const again =
  (name: "Enter" | "Leave"): Make =>
  (scene) => {
    const earlier = scene.world.history.filter((one) => one.name === name)
    const withKey = earlier.filter(({ args }) => "key" in args && args.key !== undefined)
    return earlier.length === 0 ? someEntrance(scene) : scene.draw.prefer(0.8, withKey, earlier)
  }

/** What accesses say, without ids: each service has its own. */
export const accessesOf = (accesses: Outcome): Outcome =>
  Effect.map(accesses, (all) =>
    (all as ReadonlyArray<AnonymousAccess & Partial<AuthenticatedAccess>>).map(
      ({ stay: { premises, entrance, exit }, exitToken, orgAuthServerId }) => ({
        premises,
        entrance,
        exit,
        exitToken,
        orgAuthServerId
      })
    )
  )

export const accessesByToken = (by: User, where: At, tokens: ReadonlyArray<Ref<string> | string>) =>
  request(
    "ReadAccessesByToken",
    by,
    { at: where, tokens },
    (s, a) => accessesOf(s.accesses.anonymous(premises(a.at), a.tokens as ReadonlyArray<string>)),
    {
      isUnordered: true
    }
  )

export const someAccessesByToken: Make = (scene) => {
  const { draw, world } = scene
  const where = draw.prefer(
    0.9,
    world.stays.map((stay) => stay.at),
    [somePremises(scene)]
  )
  const there = world.stays.filter((stay) => isAt(stay.at, where)).slice(-20)
  const tokens = there.flatMap(({ token }) => (draw.chance(0.7) ? [token] : []))
  const strange = draw.prefer<Ref<string> | string>(
    1,
    world.stays.map(({ token }) => token),
    ["exit"]
  )
  return accessesByToken(someUser(scene), where, [...tokens, ...tokens.slice(0, draw.below(2)), strange])
}

/** Exits with one token: of those that claim different times one wins. */
export const exitsAtOnce = (scene: Scene): ReadonlyArray<Request> => {
  const { draw, world } = scene
  const open = openStays(world)
  if (open.length === 0) return crowd(scene)
  const stay = draw.pick(open)
  const by = userOf(scene, stay, 1)
  return Array.from({ length: 2 + draw.below(3) }, () =>
    leave(by, stay.at, stay.token, { time: draw.maybe(0.8, () => stay.entrance + draw.below(4) * 250) })
  )
}

/** One user's entrances at one moment: with a key, or as a person, they are one stay. */
export const entrancesAtOnce = (scene: Scene): ReadonlyArray<Request> => {
  const organization = someOrganization(scene)
  const where = within(scene, organization)
  const by = scene.draw.prefer(
    1,
    organization.links.map(({ userId }) => makeUser(userId)),
    USERS
  )
  const key = scene.draw.maybe(0.6, () => scene.draw.pick(["key-1", "key-2", "key-3"]))
  return Array.from({ length: 2 + scene.draw.below(3) }, () => enter(by, where, { key }))
}

/** A movement at some premises: an exit of a person who is inside there, or an entrance. */
export const movementAt = (scene: Scene, where: At): Request => {
  const there = openStays(scene.world).filter((stay) => isAt(stay.at, where))
  if (there.length === 0 || scene.draw.chance(0.5)) return someEntrance(scene, where)
  const stay = scene.draw.pick(there)
  return leave(userOf(scene, stay, 0.8), where, stay.token)
}

/** Movements at one place. */
export const crowd = (scene: Scene): ReadonlyArray<Request> => {
  const where = within(scene, someOrganization(scene))
  return Array.from({ length: 2 + scene.draw.below(3) }, () => movementAt(scene, where))
}
