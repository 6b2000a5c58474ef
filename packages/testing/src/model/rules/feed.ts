import type { CapacityLevel } from "@sojourn/core"
import type { At, ReadCapacity, ReadFeed, SetCapacity, Tell } from "../commands.ts"
import { done, type Outcome, refused, sameJson } from "../outcomes.ts"
import {
  findOrganization,
  holds,
  mark,
  type ModelHead,
  type ModelOrganization,
  openAt,
  organizationAt,
  premisesName,
  type World
} from "../World.ts"

const NEW_HEAD: ModelHead = { entered: 0, left: 0, level: "none" }

const headOf = (world: World, at: At): ModelHead => world.heads.get(premisesName(at)) ?? NEW_HEAD

const keep = (world: World, at: At, head: ModelHead): void => {
  world.heads = new Map([...world.heads, [premisesName(at), head]])
}

/** How many stays of some premises began and ended, told or not. */
const totals = (world: World, at: At) => {
  const stays = world.stays.filter((stay) => stay.at === premisesName(at))
  return { entered: stays.length, left: stays.filter(({ exit, gone }) => exit !== undefined || gone).length }
}

const LEVELS = ["normal", "warning", "full", "over"] as const

/** How many people begin a level. */
const beginning = ({ capacity, warnAt }: NonNullable<ModelHead["capacity"]>, level: CapacityLevel): number =>
  ({
    none: 0,
    normal: 0,
    warning: Math.ceil(Number((capacity * warnAt).toFixed(6))),
    full: capacity,
    over: capacity + 1
  })[level]

/** The level of so many people after another one: it is left 5 % of the capacity, and at least 1, below its beginning. */
const levelAfter = (capacity: ModelHead["capacity"], before: CapacityLevel, inside: number): CapacityLevel => {
  if (capacity === undefined) return "none"
  const margin = Math.max(1, Math.floor(capacity.capacity * 0.05))
  const isHeld = (level: CapacityLevel) =>
    LEVELS.findIndex((one) => one === level) <= LEVELS.findIndex((one) => one === before) &&
    inside > beginning(capacity, level) - margin
  return LEVELS.findLast((level) => inside >= beginning(capacity, level) || isHeld(level)) ?? "normal"
}

/** Tells what is recorded of some premises, if there is anything. */
const tellAt = (world: World, at: At): void => {
  const head = headOf(world, at)
  const { entered, left } = totals(world, at)
  if (head.entered === entered && head.left === left) return
  const level = levelAfter(head.capacity, head.level, entered - left)
  if (level !== head.level) mark(world, `level told: ${level}`)
  if (level !== levelAfter(head.capacity, "none", entered - left)) mark(world, "level held")
  keep(world, at, { ...head, entered, left, level, toldAt: world.now })
}

/** An organization and its places. */
export const premisesIn = ({ label, places }: ModelOrganization): ReadonlyArray<At> => [
  { organization: label },
  ...places.map((place) => ({ place: place.label }))
]

/** Anonymous organizations are told of once a second. Answers when the next of what is left may be told. */
export const tell = (world: World, _: Tell): Outcome => {
  const waiting: Array<number> = []
  for (const organization of world.organizations) {
    const grain = organization.mode === "anonymous" ? 1000 : 0
    for (const at of premisesIn(organization)) {
      const { entered, left, toldAt } = headOf(world, at)
      if (sameJson({ entered, left }, totals(world, at))) continue
      const due = toldAt === undefined || toldAt > world.now ? world.now : Math.max(world.now, toldAt + grain)
      if (due > world.now) waiting.push(due)
      else tellAt(world, at)
    }
  }
  if (waiting.length > 0) mark(world, "events wait for their grain")
  return done({ nextAt: waiting.length === 0 ? undefined : Math.min(...waiting) })
}

export const setCapacity = (world: World, { by, at, capacity: asked, warnAt = 0.8 }: SetCapacity): Outcome => {
  const organization = organizationAt(world, at)
  if (organization === undefined) return refused("PremisesNotFound")
  if (!holds(organization, by, "manager")) return refused("PermissionTooLow")
  tellAt(world, at)
  const head = headOf(world, at)
  const capacity = asked === null ? undefined : { capacity: asked, warnAt }
  const isSame = sameJson(capacity, head.capacity)
  const level = levelAfter(capacity, isSame ? head.level : "none", head.entered - head.left)
  if (level !== head.level) mark(world, "level of another capacity")
  keep(world, at, { ...head, capacity, level })
  return done({ at, ...capacity })
}

export const readCapacity = (world: World, { by, at }: ReadCapacity): Outcome => {
  const organization = organizationAt(world, at)
  if (organization === undefined) return refused("PremisesNotFound")
  if (!holds(organization, by, "viewer")) return refused("PermissionTooLow")
  const inside = openAt(world, at).length
  const { capacity, level } = headOf(world, at)
  return done({ at, inside, ...capacity, level: levelAfter(capacity, level, inside) })
}

export const readFeed = (world: World, { organization: label }: ReadFeed): Outcome => {
  const organization = findOrganization(world, label)
  if (organization === undefined) return refused("OrganizationNotFound")
  return done({
    organization: label,
    updates: organization.updates,
    premises: premisesIn(organization).map((at) => {
      const { entered, left, capacity, level } = headOf(world, at)
      const place = "place" in at ? organization.places.find((one) => one.label === at.place) : undefined
      return { at, entered, left, capacity, level, updates: place?.updates }
    })
  })
}
