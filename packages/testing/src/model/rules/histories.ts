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
import { pendingSince } from "./feed.ts"

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

/** The fewest exits of an anonymous organization's average stay where the policy says nothing. */
const SMALLEST_COUNT = 5

/** The average stay of a step; `fewest` exits are needed where people are anonymous, unless the step may still change. */
const averageOf = (world: World, exits: number, stayed: number, fewest: number | undefined, isOver: boolean) => {
  if (exits === 0) return undefined
  if (fewest === undefined) {
    mark(world, "average stay told")
    return stayed / exits / 1000
  }
  const isAnswered = fewest === 1 || (exits >= fewest && isOver)
  mark(world, isAnswered ? "average stay of anonymous people told" : "average stay of few left out")
  return isAnswered ? Math.round(stayed / exits / 60_000) * 60 : undefined
}

/** The row of one step, as of now; what was recorded since `since` is not told yet. */
const rowOf = (
  world: World,
  all: ReadonlyArray<ModelChange>,
  from: number,
  length: number,
  { fewest, since = Infinity }: { readonly fewest: number | undefined; readonly since: number | undefined }
) => {
  const to = Math.min(from + length, world.now)
  const before = all.findLast(({ at }) => at < from)?.inside ?? 0
  const changes = all.filter(({ at }) => at >= from && at < from + length)
  const inside = [before, ...changes.map((change) => change.inside)]
  const entered = sum(changes.map((change) => change.entered))
  const exits = sum(changes.map((change) => change.exits))
  return {
    from,
    entered,
    left: sum(changes.map((change) => change.left)),
    least: Math.min(...inside),
    most: Math.max(...inside),
    average: from === to ? inside.at(-1) : insideTime(before, changes, from, to) / (to - from),
    averageStay: averageOf(
      world,
      exits,
      sum(changes.map((change) => change.stayed)),
      fewest,
      from + length <= Math.min(world.now, since)
    )
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
  const fewest = organization.mode === "anonymous" ? (organization.smallestCount ?? SMALLEST_COUNT) : undefined
  const begun = Array.from({ length: steps }, (_, index) => (first + index) * length).filter(
    (begin) => begin <= world.now && begin + length > beginningOf(organization, at)
  )
  const told = begun.filter((begin) => begin >= kept)
  if (told.length < begun.length) mark(world, "forgotten minutes left out")
  return listed(told.map((begin) => rowOf(world, changes, begin, length, { fewest, since: pendingSince(world, at) })))
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
