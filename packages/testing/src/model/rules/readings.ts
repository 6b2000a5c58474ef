/** The reference model of what is read of stays: counters, accesses and reports. */
import type { ReadAccessesByToken, ReadAccessesOfPeople, ReadCounter, ReadReport } from "../commands.ts"
import { done, listed, listedWithTies, type Outcome, refused } from "../outcomes.ts"
import {
  holds,
  linkedPerson,
  mark,
  type ModelStay,
  organizationAt,
  premisesName,
  stayOfToken,
  type World
} from "../World.ts"
import { insideAt } from "./feed.ts"

/** A counter is the number of open stays (spec: stays#counter), or with a publishing interval that of the last event. */
export const readCounter = (world: World, { by, at }: ReadCounter): Outcome => {
  const organization = organizationAt(world, at)
  if (organization === undefined) return refused("PremisesNotFound")
  if (!holds(organization, by, "viewer")) return refused("PermissionTooLow")
  return done({ at, counter: insideAt(world, organization, at) })
}

type Closed = ModelStay & { readonly exit: number; readonly number: number }

/** The closed stays of some premises by entrance; the ids of accesses, which order those of one entrance, are opaque. */
const closedAt = (world: World, at: string): ReadonlyArray<Closed> =>
  world.stays
    .flatMap((stay, number) =>
      stay.at === at && stay.exit !== undefined && !stay.gone ? [{ ...stay, exit: stay.exit, number }] : []
    )
    .sort((one, other) => one.entrance - other.entrance || one.number - other.number)

export const readAccessesByToken = (world: World, { at, tokens }: ReadAccessesByToken): Outcome => {
  const asked = tokens.map((token) => stayOfToken(world, token))
  const found = closedAt(world, premisesName(at)).filter(
    (stay) => stay.person === undefined && asked.includes(stay.number)
  )
  if (found.length > 1) mark(world, "several accesses of tokens")
  if (found.length > 0 && found.length < tokens.length) mark(world, "tokens without an access left out")
  return listedWithTies(
    found.map(({ entrance, exit, number }) => ({
      item: { at, entrance, exit },
      tie: String(entrance),
      stay: number
    }))
  )
}

export const readAccessesOfPeople = (world: World, { by, at, people }: ReadAccessesOfPeople): Outcome => {
  const organization = organizationAt(world, at)
  if (by.kind === "user") {
    const own = organization === undefined ? undefined : linkedPerson(organization, by.id)
    if (own === undefined || people.length !== 1 || people[0] !== own) {
      mark(world, "accesses of another refused")
      return refused("AccessesOfAnother")
    }
  } else if (organization === undefined) return refused("PremisesNotFound")
  else if (!holds(organization, by, "viewer")) return refused("PermissionTooLow")
  const found = closedAt(world, premisesName(at)).filter(
    (stay) => stay.person !== undefined && people.includes(stay.person)
  )
  if (found.length > 0) mark(world, `accesses of people read by ${by.kind}`)
  return listedWithTies(
    found.map(({ entrance, exit, person }) => ({
      item: { at, entrance, exit, person },
      tie: String(entrance)
    }))
  )
}

/** Sums closed identified stays (spec: stays#report). */
export const readReport = (world: World, { by, place }: ReadReport): Outcome => {
  const organization = organizationAt(world, { place })
  if (organization === undefined) return refused("PremisesNotFound")
  if (!holds(organization, by, "viewer")) return refused("PermissionTooLow")
  const closed = closedAt(world, `place ${place}`)
  const people = [...new Set(closed.flatMap(({ person }) => person ?? []))].sort()
  if (people.length > 0) mark(world, "report of somebody's time")
  return listed(
    people.map((person) => {
      const own = closed.filter((stay) => stay.person === person)
      const milliseconds = own.reduce((sum, stay) => sum + stay.exit - stay.entrance, 0)
      return { place, person, seconds: Math.floor(milliseconds / 1000) }
    })
  )
}
