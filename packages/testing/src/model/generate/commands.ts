/** Which commands there are, and how often each comes. */
import { PersonSubject, User, UserSubject } from "@sojourn/core"
import type { Draw } from "../Draw.ts"
import { type Request } from "../Request.ts"
import { type KnownOrganization, openStays, organizationAt, type World } from "../World.ts"
import { decide, erase, ownersAtOnce, someDeletionCommand, someErasure, somePermissionCommand } from "./accounts.ts"
import {
  areasAtOnce,
  removePlace,
  someChangeOfPolicy,
  someNewOrganization,
  someOrganizationCommand,
  somePlaceCommand
} from "./organizations.ts"
import { favoritesAtOnce, link, linksAtOnce, someFavoriteCommand, someLinkCommand, unlink } from "./people.ts"
import {
  mustersAtOnce,
  publish,
  someCapacity,
  someHistoryCommand,
  someMusterCommand,
  someWebhookCommand,
  webhooksAtOnce
} from "./presence.ts"
import { someReading } from "./reads.ts"
import {
  again,
  crowd,
  enter,
  entrancesAtOnce,
  exitsAtOnce,
  movementAt,
  someAccessesByToken,
  someEnding,
  someEntrance,
  someExit
} from "./stays.ts"
import { ANY_PERSON, type Make, type Scene, someUser, within } from "./subjects.ts"

/** A step of a run: requests that come at one moment, or time that passes. */
export type Step =
  | { readonly _tag: "Requests"; readonly requests: ReadonlyArray<Request> }
  | { readonly _tag: "Wait"; readonly milliseconds: number }
  | { readonly _tag: "Sweep" }
type Choose = (draw: Draw, world: World) => Step

const one =
  (make: Make): Choose =>
  (draw, world) => ({ _tag: "Requests", requests: [make({ draw, world })] })

/** Time passes: a little, or until some key is about to expire. */
const wait: Choose = (draw, world) => {
  const day = 24 * 60 * 60_000
  const left = world.keysSince.map((since) => since + day - world.now).filter((rest) => rest > 1)
  const long = left.length === 0 ? [day] : left.flatMap((rest) => [rest, rest - 1])
  const minutes = [1, 1500, 60_000, 5 * 60_000, 61 * 60_000]
  return { _tag: "Wait", milliseconds: draw.chance(0.7) ? draw.pick(minutes) : draw.pick(long) }
}

/** Few enough requests that any order of them can be tried. */
const MAX_AT_ONCE = 4

/** An organization or a place ends or changes its ways, or a person is erased, while people come and go. */
const endings = (scene: Scene): ReadonlyArray<Request> => {
  const { draw, world } = scene
  const organization = draw.prefer(
    0.4,
    world.organizations.filter(({ isEnding }) => isEnding),
    world.organizations
  )
  const where = within(scene, organization)
  const ending = endingOf(scene, organization, where)
  const others = Array.from({ length: 1 + draw.below(3) }, () => movementAt(scene, where))
  return [...others.slice(0, 1), ending, ...others.slice(1)]
}

const endingOf = (scene: Scene, organization: KnownOrganization, where: ReturnType<typeof within>): Request => {
  const { draw } = scene
  return draw.weighted<Request>([
    [4, () => ("place" in where ? removePlace(scene, where.place) : someDeletionCommand(scene))],
    [5, () => someOrganizationCommand(scene)],
    [organization.isEnding ? 8 : 1, () => decide(scene, organization.ref, "approve")],
    [3, () => unlink(someUser(scene), organization.ref)],
    [3, () => someEnding(scene)]
  ])
}

/** A person is erased while they come and go, and link themselves anew. */
const erasures = (scene: Scene): ReadonlyArray<Request> => {
  const { draw, world } = scene
  const linked = world.organizations.flatMap((known) => known.links.map((one) => ({ known, ...one })))
  if (linked.length === 0) return linksAtOnce(scene)
  const { known, userId, person } = draw.pick(linked)
  const by = User(userId)
  const where = within(scene, known)
  const erasure = erase(draw.chance(0.6) ? UserSubject(userId) : PersonSubject(known.ref as never, person))
  const others = Array.from({ length: 1 + draw.below(3) }, () =>
    draw.weighted<Request>([
      [4, () => enter(by, where, { key: draw.maybe(0.5, () => "key-1") })],
      [4, () => movementAt(scene, where)],
      [2, () => link(by, known.ref, person)],
      [1, () => erasure]
    ])
  )
  return [...others.slice(0, 1), erasure, ...others.slice(1)]
}

/** What happens while a muster goes on. */
const meanwhile =
  (scene: Scene) =>
  (organization: KnownOrganization): Request => {
    const { draw, world } = scene
    const inside = openStays(world).filter((stay) => organizationAt(world, stay.at) === organization)
    const where = draw.prefer(
      0.7,
      inside.map(({ at }) => at),
      [within(scene, organization)]
    )
    return draw.weighted<Request>([
      [9, () => movementAt(scene, where)],
      [2, () => ("place" in where ? removePlace(scene, where.place) : movementAt(scene, where))],
      [
        2,
        () =>
          erase(
            PersonSubject(
              organization.ref as never,
              draw.prefer(
                0.8,
                inside.flatMap(({ person }) => person ?? []),
                ANY_PERSON
              )
            )
          )
      ]
    ])
  }

const several = (make: Make) => (scene: Scene) => Array.from({ length: 2 + scene.draw.below(3) }, () => make(scene))

const RACES: ReadonlyArray<readonly [number, (scene: Scene) => ReadonlyArray<Request>]> = [
  [7, exitsAtOnce],
  [4, entrancesAtOnce],
  [5, crowd],
  [6, ownersAtOnce],
  [10, endings],
  [2, linksAtOnce],
  [2, favoritesAtOnce],
  [2, several(someDeletionCommand)],
  [2, several(somePlaceCommand)],
  [3, areasAtOnce],
  [2, several(somePermissionCommand)],
  [2, (scene) => [someEntrance(scene), someExit(scene), someExit(scene)]],
  [4, erasures],
  [10, (scene) => mustersAtOnce(scene, meanwhile(scene))],
  [6, webhooksAtOnce]
]

/** Two to four requests at one moment. */
const race: Choose = (draw, world) => {
  const scene = { draw, world }
  const made = draw.weighted(RACES.map(([weight, make]) => [weight, () => make(scene)] as const))
  const also = draw.chance(0.5) ? [] : [draw.chance(0.6) ? publish() : someCapacity(scene)]
  return { _tag: "Requests", requests: [...also, ...made].slice(0, MAX_AT_ONCE) }
}

/** The kinds of commands by weight: those that furnish the world, and those that follow. */
export const SETUP: ReadonlyArray<readonly [weight: number, choose: Choose]> = [
  [1, one(someNewOrganization)],
  [6, one(somePlaceCommand)],
  [6, one(somePermissionCommand)],
  [6, one(someLinkCommand)],
  [2, one((scene) => someEntrance(scene))]
]

export const COMMANDS: ReadonlyArray<readonly [weight: number, choose: Choose]> = [
  [24, one((scene) => someEntrance(scene))],
  [24, one(someExit)],
  [5, one(again("Enter"))],
  [4, one(again("Leave"))],
  [4, one(someEnding)],
  [6, one(someAccessesByToken)],
  [6, wait],
  [14, one(someReading)],
  [12, one(someLinkCommand)],
  [6, one(someFavoriteCommand)],
  [10, one(someOrganizationCommand)],
  [7, one(somePlaceCommand)],
  [10, one(somePermissionCommand)],
  [6, one(someDeletionCommand)],
  [2, one(someChangeOfPolicy)],
  [4, () => ({ _tag: "Sweep" })],
  [3, one(someErasure)],
  [5, one(publish)],
  [5, one(someCapacity)],
  [8, one(someMusterCommand)],
  [7, one(someHistoryCommand)],
  [8, one(someWebhookCommand)],
  [12, race]
]

const FEWEST_ORGANIZATIONS = 2

/** The step that a kind of command chooses: until there are organizations, one is made. */
export const stepOf = (choose: Choose, draw: Draw, world: World): Step =>
  world.organizations.length < FEWEST_ORGANIZATIONS ? one(someNewOrganization)(draw, world) : choose(draw, world)

export type { Choose }
