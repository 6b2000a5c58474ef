/** The reference model of histories: the expected rows, told from every change that there ever was. */
import type { HistoryStep } from "@sojourn/core"
import type { At, KeepHistory, ReadHistory } from "../commands.ts"
import { done, listed, type Outcome, refused } from "../outcomes.ts"
import {
  holds,
  mark,
  type ModelChange,
  type ModelOrganization,
  organizationAt,
  premisesName,
  type World
} from "../World.ts"

const LENGTH: Readonly<Record<HistoryStep, number>> = { minute: 60_000, hour: 3_600_000, day: 86_400_000 }

/** The most steps that a history may be asked for. */
const MOST_STEPS = 1_500

/** When the feed of some premises began. */
const beginningOf = (organization: ModelOrganization, at: At): number =>
  "place" in at
    ? (organization.places.find(({ label }) => label === at.place)?.created ?? organization.created)
    : organization.created

const sum = (numbers: ReadonlyArray<number>): number => numbers.reduce((total, number) => total + number, 0)

/** How long people were inside from one time to another, in all: `before` are inside at first. */
const insideTime = (before: number, changes: ReadonlyArray<ModelChange>, from: number, to: number): number =>
  [{ inside: before, at: from }, ...changes].reduce(
    (total, { inside, at }, index) => total + inside * ((changes[index]?.at ?? to) - at),
    0
  )

/** The row of one step, as of now. */
const rowOf = (world: World, all: ReadonlyArray<ModelChange>, from: number, length: number, smallestCount = 0) => {
  const to = Math.min(from + length, world.now)
  const before = all.findLast(({ at }) => at < from)?.inside ?? 0
  const changes = all.filter(({ at }) => at >= from && at < from + length)
  const inside = [before, ...changes.map((change) => change.inside)]
  const entered = sum(changes.map((change) => change.entered))
  const exits = sum(changes.map((change) => change.exits))
  const isFew = entered > 0 && entered < smallestCount
  if (exits > 0) mark(world, isFew ? "average stay of few left out" : "average stay told")
  return {
    from,
    entered,
    left: sum(changes.map((change) => change.left)),
    least: Math.min(...inside),
    most: Math.max(...inside),
    average: from === to ? inside.at(-1) : insideTime(before, changes, from, to) / (to - from),
    averageStay: exits > 0 && !isFew ? sum(changes.map((change) => change.stayed)) / exits / 1000 : undefined
  }
}

export const readHistory = (world: World, { by, at, step, from, to }: ReadHistory): Outcome => {
  const length = LENGTH[step]
  const first = Math.floor(from / length)
  const steps = Math.ceil(to / length) - first
  if (from >= to || steps > MOST_STEPS) {
    mark(world, "history refused")
    return refused("HistoryRangeInvalid")
  }
  const organization = organizationAt(world, at)
  if (organization === undefined) return refused("PremisesNotFound")
  if (!holds(organization, by, "viewer")) return refused("PermissionTooLow")
  const changes = world.changes.get(premisesName(at)) ?? []
  const kept = step === "minute" ? (organization.minutesFrom ?? 0) : 0
  const smallestCount = organization.mode === "anonymous" ? organization.smallestCount : undefined
  const begun = Array.from({ length: steps }, (_, index) => (first + index) * length).filter(
    (begin) => begin <= world.now && begin + length > beginningOf(organization, at)
  )
  const told = begun.filter((begin) => begin >= kept)
  if (told.length < begun.length) mark(world, "forgotten minutes left out")
  return listed(told.map((begin) => rowOf(world, changes, begin, length, smallestCount)))
}

/** Minutes are forgotten; rows of hours and days stay as they are. */
export const keepHistory = (world: World, { retention }: KeepHistory): Outcome => {
  const from = world.now - retention
  world.organizations = world.organizations.map((organization) => ({
    ...organization,
    minutesFrom: Math.max(from, organization.minutesFrom ?? 0)
  }))
  return done()
}
