/** Generates movements, readings by their tokens, and concurrent movements. */

import { option } from "../Random.ts"
import {
  type ModelOrganization,
  type ModelStay,
  type World,
  isOpen,
  linkedPerson,
  openAt,
  organizationAt
} from "../World.ts"
import type { Command, PremisesRef, Request, RequestOf, TokenRef } from "../commands.ts"
import { someDeletionCommand } from "./accounts.ts"
import {
  ANY_PERSON,
  OPERATOR,
  type Scene,
  USERS,
  some,
  someAdministrator,
  someOrganization,
  somePremises,
  someUser,
  times,
  userAt,
  userNamed,
  ownersOf,
  ADMINISTRATORS
} from "./subjects.ts"

const MINUTE = 60_000
const KEYS = ["key-1", "key-2"]

const claimedPerson = ({ random }: Scene): string | undefined => random.maybe(0.12, () => random.pick(ANY_PERSON))

/** A time that an entrance may claim: mostly none, else around the borders of what is accepted. */
const entranceTime = ({ random, world: { now } }: Scene): number | undefined =>
  random.maybe(0.4, () =>
    random.pick([now, now, now - 1, now - 90_000, now - 7 * MINUTE, now + 1, now + 5 * MINUTE, now + 5 * MINUTE + 1])
  )

/** Some premises that people can enter: without linked users they seldom try. */
const somewhere = (scene: Scene): PremisesRef => {
  const at = somePremises(scene)
  const organization = organizationAt(scene.world, at)
  const isClosed = organization?.mode === "authenticated" && organization.links.length === 0
  return isClosed && scene.random.chance(0.8) ? somePremises(scene) : at
}

export const someEntrance = (scene: Scene, at: PremisesRef = somewhere(scene)): RequestOf<"Enter"> => ({
  _tag: "Enter",
  stay: scene.label,
  by: userAt(scene, organizationAt(scene.world, at)),
  at,
  time: entranceTime(scene),
  person: claimedPerson(scene),
  key: scene.random.maybe(0.3, () => scene.random.pick(KEYS))
})

/** Repeats an earlier entrance unchanged. */
export const repeatedEntrance = (scene: Scene): RequestOf<"Enter"> => {
  const earlier = scene.history.filter((command) => command._tag === "Enter")
  const withKey = earlier.filter((command) => command.key !== undefined)
  const known = withKey.length > 0 && scene.random.chance(0.8) ? withKey : earlier
  return known.length === 0 ? someEntrance(scene) : { ...scene.random.pick(known), stay: scene.label }
}

/** The premises of a stay, as commands name them. */
export const premisesOf = ({ at }: ModelStay): PremisesRef =>
  at.startsWith("place ") ? { place: at.slice(6) } : { organization: at.slice(13) }

/** An entrance that was answered with the stay. */
const labelOf = (world: World, stay: number): string =>
  [...world.entrances].find(([, number]) => number === stay)?.[0] ?? "s-none"

export const tokenOf = (world: World, stay: number): TokenRef => ({ of: labelOf(world, stay) })

/** The number of a stay: most often an open one, of late rather than of old. */
const someStay = ({ random, world }: Scene): number | undefined => {
  const numbers = world.stays.map((_, number) => number)
  const open = numbers.filter((number) => isOpen(world.stays[number]!))
  const ended = numbers.filter((number) => world.stays[number]!.gone)
  const abandoned = ended.filter((number) => world.stays[number]?.isAbandoned === true)
  const choice = random.weighted([
    [14, open],
    [4, numbers],
    [2, numbers.slice(-5)],
    [1, ended],
    [abandoned.length > 0 ? 3 : 0, abandoned]
  ])
  return choice.length === 0 ? undefined : random.pick(choice)
}

/** A time that an exit from the stay may claim. */
const exitTime = ({ random, world: { now } }: Scene, { entrance, exit }: ModelStay): number | undefined =>
  random.maybe(0.6, () =>
    random.pick([
      now,
      now,
      exit ?? now,
      entrance,
      entrance - 1,
      entrance + 1,
      now + 5 * MINUTE,
      now + 5 * MINUTE + 1,
      now - 1
    ])
  )

/** The user who is most likely to leave: the person of the stay, where it has one. */
const exitingUser = (scene: Scene, stay: ModelStay) => {
  const organization = organizationAt(scene.world, premisesOf(stay))
  const own = organization?.links.find((link) => link.person === stay.person)
  return own !== undefined && scene.random.chance(0.6) ? userNamed(own.user) : userAt(scene, organization)
}

const forged = ({ random }: Scene, token: TokenRef): TokenRef =>
  random.weighted<TokenRef>([
    [24, token],
    [2, "of" in token ? { of: token.of, altered: random.below(56) } : token],
    [1, { text: random.pick(["A".repeat(56), "exit", "-", "ä"]) }]
  ])

export const someExit = (scene: Scene): RequestOf<"Leave"> => {
  const { random, world } = scene
  const number = someStay(scene)
  const stay = number === undefined ? undefined : world.stays[number]
  if (number === undefined || stay === undefined) {
    return { _tag: "Leave", by: someUser(scene), at: somePremises(scene), token: { text: "A".repeat(56) } }
  }
  return {
    _tag: "Leave",
    by: exitingUser(scene, stay),
    at: random.chance(0.05) ? somePremises(scene) : premisesOf(stay),
    token: forged(scene, tokenOf(world, number)),
    time: exitTime(scene, stay),
    person: claimedPerson(scene)
  }
}

/** Repeats an earlier exit unchanged. */
export const repeatedExit = (scene: Scene): Command => {
  const earlier = scene.history.filter((command) => command._tag === "Leave")
  return earlier.length === 0 ? someExit(scene) : scene.random.pick(earlier.slice(-12))
}

export const someAccessesByToken = (scene: Scene): RequestOf<"ReadAccessesByToken"> => {
  const { random, world } = scene
  const stay = random.maybe(0.9, () => (world.stays.length === 0 ? undefined : random.pick(world.stays)))
  const at = stay === undefined ? somePremises(scene) : premisesOf(stay)
  const there = world.stays.flatMap((one, number) => (one.at === stay?.at ? [number] : []))
  const tokens = there.slice(-20).flatMap((number) => (random.chance(0.7) ? [tokenOf(world, number)] : []))
  const strange: TokenRef =
    world.stays.length === 0 ? { text: "exit" } : tokenOf(world, random.below(world.stays.length))
  const tokensRead = [...tokens, ...tokens.slice(0, random.below(2)), ...(random.chance(0.4) ? [strange] : [])]
  return {
    _tag: "ReadAccessesByToken",
    by: someUser(scene),
    at,
    tokens: tokensRead.length === 0 ? [strange] : tokensRead
  }
}

/** Time passes: a little, or until some key is about to expire. */
export const someWait = ({ random, world }: Scene): Command => {
  const day = 24 * 60 * MINUTE
  const until = world.keysSince.map((since) => since + day - world.now).filter((left) => left > 0)
  const long = until.length === 0 ? [day] : until.flatMap((left) => [left, Math.max(1, left - 1)])
  return {
    _tag: "AdvanceClock",
    milliseconds: random.chance(0.7) ? random.pick([1, 1500, MINUTE, 5 * MINUTE, 61 * MINUTE]) : random.pick(long)
  }
}

/** The premises of an organization: itself, or one of its places. */
export const within = ({ random }: Scene, organization: ModelOrganization): PremisesRef =>
  organization.places.length > 0 && random.chance(0.5)
    ? { place: random.pick(organization.places).label }
    : { organization: organization.label }

/** Exits with one token: of those that claim different times one wins. */
export const exits = (scene: Scene): ReadonlyArray<Request> => {
  const { random, world } = scene
  const open = world.stays.flatMap((stay, number) => (isOpen(stay) ? [{ stay, number }] : []))
  if (open.length === 0) return crowd(scene)
  const { stay, number } = random.pick(open)
  const person = world.organizations
    .find((one) => one.label === stay.organization)
    ?.links.find((one) => one.person === stay.person)
  return times(scene, some(scene, 2, 4), () => ({
    _tag: "Leave",
    by: userNamed(person?.user ?? random.pick(USERS)),
    at: premisesOf(stay),
    token: tokenOf(world, number),
    time: random.maybe(0.8, () => stay.entrance + random.below(4) * 250)
  }))
}

/** One user's entrances at one moment: with a key, or as a person, they are one stay. */
export const entrances = (scene: Scene): ReadonlyArray<Request> => {
  const { random } = scene
  const organization = someOrganization(scene)
  const linked = USERS.filter((user) => linkedPerson(organization, user) !== undefined)
  const by = userNamed(random.pick(linked.length > 0 ? linked : USERS))
  const at = within(scene, organization)
  const key = random.maybe(0.6, () => random.pick(["key-1", "key-2", "key-3"]))
  return times(scene, some(scene, 2, 4), ({ label }) => ({ _tag: "Enter", stay: label, by, at, key }))
}

/** Many movements at one place, and an administrator who reads its counter. */
export const crowd = (scene: Scene): ReadonlyArray<Request> => {
  const organization = someOrganization(scene)
  const at = within(scene, organization)
  const there = openAt(scene.world, at)
  const comings = times(scene, some(scene, 1, 2), (one) => someEntrance(one, at))
  const goings = times(scene, Math.min(there.length, 1), ({ random, world }) => ({
    _tag: "Leave",
    by: userNamed(random.pick(USERS)),
    at,
    token: tokenOf(world, random.pick(there))
  }))
  const counter = {
    _tag: "ReadCounter",
    by: someAdministrator({ ...scene, wire: false }, organization, "viewer"),
    at
  } as const
  return [...comings, counter, ...goings]
}

/** A place or an organization ends, or changes its ways, while people come and go. */
export const ends = (scene: Scene): ReadonlyArray<Request> => {
  const { random, world } = scene
  const wanted = world.organizations.filter((one) =>
    world.requests.some((request) => request.organization === one.label && request.status === "pending")
  )
  const organization = wanted.length > 0 && random.chance(0.4) ? random.pick(wanted) : someOrganization(scene)
  const owner = random.pick([...ownersOf(organization), ...ADMINISTRATORS.slice(0, 1)])
  const pending = world.requests.filter((request) => request.organization === organization.label)
  const place = organization.places.length === 0 ? undefined : random.pick(organization.places).label
  const at: PremisesRef = place === undefined ? { organization: organization.label } : { place }
  const ending: Request = random.weighted<() => Request>([
    option(4, () =>
      place === undefined ? someDeletionCommand({ ...scene, wire: false }) : { _tag: "RemovePlace", by: owner, place }
    ),
    option(5, () => ({
      _tag: "EditOrganization",
      by: owner,
      organization: organization.label,
      mode: organization.mode === "anonymous" ? "authenticated" : "anonymous"
    })),
    option(wanted.includes(organization) ? 8 : 1, () => ({
      _tag: "Decide",
      by: OPERATOR,
      organization: organization.label,
      nth: Math.max(0, pending.length - 1),
      verdict: "approved"
    })),
    option(3, () => ({ _tag: "Unlink", by: userNamed(random.pick(USERS)), organization: organization.label }))
  ])()
  const there = openAt(world, at)
  const movements = times(scene, some(scene, 1, 3), (one) =>
    there.length > 0 && one.random.chance(0.5)
      ? { _tag: "Leave", by: userNamed(one.random.pick(USERS)), at, token: tokenOf(world, one.random.pick(there)) }
      : someEntrance(one, at)
  )
  return [...movements.slice(0, 1), ending, ...movements.slice(1)]
}

/** People anywhere, who come and go at one moment. */
export const movements = (scene: Scene): ReadonlyArray<Request> => [
  ...times(scene, some(scene, 1, 2), (one) => someEntrance(one)),
  ...times(scene, some(scene, 1, 2), someExit, 2)
]
