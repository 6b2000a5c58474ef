/** What the model answers to commands on musters, and to lists of who is inside. */
import type { MusterNumbers } from "@sojourn/core"
import type { EndMuster, ListInside, ListMusters, MarkSafe, ReadMuster, StartMuster, Who } from "../commands.ts"
import { done, listed, listedWithTies, type Outcome, refused } from "../outcomes.ts"
import {
  findOrganization,
  holds,
  isOpen,
  mark,
  type ModelEntry,
  type ModelEvent,
  type ModelMuster,
  type ModelMustered,
  type ModelStanding,
  type ModelStay,
  organizationAt,
  premisesName,
  type World
} from "../World.ts"
import { headOf, insideAt, intervalOf, addNews, tellDueOf } from "./feed.ts"

const placesOf = (stays: ReadonlyArray<ModelStay>): ReadonlyArray<string> =>
  [...new Set(stays.flatMap(({ at }) => (at.startsWith("place ") ? at.slice(6) : [])))].sort()

/** Where a person is or was by some of their stays, and since when. */
const whereabouts = (stays: ReadonlyArray<ModelStay>) => ({
  places: placesOf(stays),
  since: Math.min(...stays.map(({ entrance }) => entrance))
})

const entryOf = ({ entries }: ModelMuster, person: string): ModelEntry | undefined =>
  entries.find((entry) => entry.person === person)

/** A person of an open muster: inside, or gone by an exit, or gone with what they were inside of, or only ever marked. */
const mustered = (muster: ModelMuster, person: string, stays: ReadonlyArray<ModelStay>): ModelMustered => {
  const entry = entryOf(muster, person)
  const open = stays.filter(isOpen)
  const at = entry?.markedAt
  if (open.length > 0) return { person, ...whereabouts(open), state: at === undefined ? "missing" : "safe", at }
  const exit = Math.max(...stays.map((stay) => stay.exit ?? 0))
  if (stays.length > 0 && exit > (entry?.endedAt ?? -Infinity)) {
    return { person, ...whereabouts(stays.filter((stay) => stay.exit === exit)), state: "left", at: exit }
  }
  const { places, since } = entry ?? { places: [], since: undefined }
  return since === undefined ? { person, places, state: "safe", at } : { person, places, since, state: "left" }
}

/** The people of an open muster: who was inside at its start or came in since, and who was marked. */
const peopleOf = (world: World, muster: ModelMuster): ReadonlyArray<ModelMustered> => {
  const stays = world.stays.filter(
    ({ organization, gone }, number) =>
      organization === muster.organization && !gone && (number >= muster.first || muster.open.includes(number))
  )
  const people = new Set([...muster.entries, ...stays].flatMap(({ person }) => person ?? []))
  return [...people].sort().map((person) =>
    mustered(
      muster,
      person,
      stays.filter((stay) => stay.person === person)
    )
  )
}

/** The exits from an organization itself as far as answers say so, whatever became of the stays. */
const exitsFrom = (world: World, label: string): number => {
  const at = { organization: label }
  const organization = findOrganization(world, label)
  return organization !== undefined && intervalOf(organization) !== undefined
    ? headOf(world, at).exits
    : world.stays.filter((stay) => stay.at === premisesName(at) && stay.exit !== undefined).length
}

const standing = (world: World, muster: ModelMuster): ModelStanding => {
  if (muster.ended !== undefined) return muster.ended
  if (muster.mode === "anonymous") {
    const { inside, count: safe } = muster
    const left = Math.max(0, exitsFrom(world, muster.organization) - muster.exits)
    return { numbers: { inside, safe, left, missing: Math.max(0, inside - left - safe) } }
  }
  const people = peopleOf(world, muster)
  const count = (asked: ModelMustered["state"]) => people.filter(({ state }) => state === asked).length
  const numbers: MusterNumbers = {
    inside: people.length,
    safe: count("safe"),
    left: count("left"),
    missing: count("missing")
  }
  if (people.some(({ state, at }) => state === "left" && at === undefined)) mark(world, "mustered without an exit")
  return { numbers, people }
}

/** A muster as it is answered. */
const answer = (world: World, muster: ModelMuster) => {
  const { label, organization, kind, startedAt, startedBy, endedAt } = muster
  const { numbers, people } = standing(world, muster)
  return { muster: label, organization, kind, startedAt, startedBy, endedAt, ...numbers, people }
}

/** The muster of a label as it is answered. */
export const musterAnswer = (world: World, label: string) => {
  const muster = world.musters.find((one) => one.label === label)
  return muster && answer(world, muster)
}

const tellOf = (world: World, { label, organization }: ModelMuster, became: NonNullable<ModelEvent["became"]>) =>
  addNews(world, organization, { type: "muster", muster: label, became })

const change = (world: World, muster: ModelMuster, became: "updated" | "ended"): Outcome => {
  world.musters = world.musters.map((one) => (one.label === muster.label ? muster : one))
  tellOf(world, muster, became)
  return done(answer(world, muster))
}

/** The muster that a caller may do something with who holds a level. */
const found = (
  world: World,
  { by, muster: label }: { readonly by: Who; readonly muster: string },
  level: "viewer" | "manager"
) => {
  const muster = world.musters.find((one) => one.label === label)
  const organization = muster === undefined ? undefined : findOrganization(world, muster.organization)
  if (muster === undefined || organization === undefined) return refused("MusterNotFound")
  return holds(organization, by, level) ? muster : refused("PermissionTooLow")
}

/** Keeps, in open musters, the people of stays that are about to end without an exit, or to be gone for good. */
export const keepEnding = (world: World, isEnding: (stay: ModelStay) => boolean): void => {
  world.musters = world.musters.map((muster) => {
    if (muster.mode === "anonymous" || muster.ended !== undefined) return muster
    const concerned = world.stays.filter(
      (stay, number) =>
        stay.organization === muster.organization &&
        !stay.gone &&
        isEnding(stay) &&
        (isOpen(stay) || number >= muster.first)
    )
    const entries = new Map(muster.entries.map((entry) => [entry.person, entry]))
    for (const person of new Set(concerned.flatMap((stay) => stay.person ?? []))) {
      const ended = concerned.filter((stay) => stay.person === person)
      const endOf = ({ exit = world.now }: ModelStay) => exit
      const endedAt = Math.max(...ended.map(endOf))
      const { places, since } = whereabouts(ended.filter((stay) => endOf(stay) === endedAt))
      const entry = entries.get(person)
      if (entry?.endedAt === endedAt) {
        const all = [...new Set([...entry.places, ...places])].sort()
        entries.set(person, { ...entry, places: all, since: Math.min(since, entry.since ?? since) })
      } else if ((entry?.endedAt ?? -Infinity) < endedAt) {
        entries.set(person, { ...entry, person, places, since, endedAt })
      }
    }
    return { ...muster, entries: [...entries.values()] }
  })
}

/** Musters forget an erased person; the numbers of those that ended stay. */
export const eraseFromMusters = (world: World, organization: string, erased: string): void => {
  const isOther = ({ person }: { readonly person: string }) => person !== erased
  for (const muster of world.musters) {
    const isIn = muster.organization === organization && muster.ended === undefined && entryOf(muster, erased)
    if (isIn) tellOf(world, muster, "updated")
  }
  world.musters = world.musters.map((muster) =>
    muster.organization !== organization
      ? muster
      : {
          ...muster,
          entries: muster.entries.filter(isOther),
          ended: muster.ended && { ...muster.ended, people: muster.ended.people?.filter(isOther) }
        }
  )
}

export const listInside = (world: World, { by, at }: ListInside): Outcome => {
  const organization = organizationAt(world, at)
  if (organization === undefined) return refused("PremisesNotFound")
  if (!holds(organization, by, "viewer")) return refused("PermissionTooLow")
  if (organization.mode === "anonymous") return refused("PeopleNotTracked")
  const there = world.stays.filter(
    (stay) => isOpen(stay) && ("place" in at ? stay.at === premisesName(at) : stay.organization === organization.label)
  )
  const rows = there.flatMap(({ person, at, entrance: since }) =>
    // Places of one person come by their ids, which say less than the labels of places that were made in a race.
    person === undefined ? [] : [{ item: { person, at, since }, tie: `${person} ${at.split(" ")[0]}` }]
  )
  return listedWithTies(rows.sort((one, other) => (one.tie < other.tie ? -1 : one.tie > other.tie ? 1 : 0)))
}

export const startMuster = (world: World, command: StartMuster): Outcome => {
  const { by, organization: label, muster, kind } = command
  const organization = findOrganization(world, label)
  if (organization === undefined) return refused("OrganizationNotFound")
  if (by.kind !== "administrator" || !holds(organization, by, "manager")) return refused("PermissionTooLow")
  if (world.musters.some((one) => one.organization === label && one.ended === undefined)) {
    mark(world, "second muster refused")
    return refused("MusterOpen")
  }
  tellDueOf(world, organization)
  const open = world.stays.flatMap((stay, number) => (stay.organization === label && isOpen(stay) ? [number] : []))
  const started: ModelMuster = {
    label: muster,
    organization: label,
    mode: organization.mode,
    kind,
    startedAt: world.now,
    startedBy: by.id,
    open,
    first: world.stays.length,
    entries: [],
    inside: insideAt(world, organization, { organization: label }),
    exits: exitsFrom(world, label),
    count: 0
  }
  const entries =
    started.mode === "anonymous"
      ? []
      : peopleOf(world, started).map(({ person, places, since }) => ({ person, places, since }))
  world.musters = [...world.musters, { ...started, entries }]
  tellOf(world, started, "started")
  return done(answer(world, { ...started, entries }))
}

export const listMusters = (world: World, { by, organization: label }: ListMusters): Outcome => {
  const organization = findOrganization(world, label)
  if (organization === undefined) return refused("OrganizationNotFound")
  if (!holds(organization, by, "viewer")) return refused("PermissionTooLow")
  const own = world.musters.filter((muster) => muster.organization === label)
  return listed(own.reverse().map((muster) => ({ ...answer(world, muster), people: undefined })))
}

export const readMuster = (world: World, command: ReadMuster): Outcome => {
  const muster = found(world, command, "viewer")
  return "names" in muster ? muster : done(answer(world, muster))
}

export const markSafe = (world: World, command: MarkSafe): Outcome => {
  const muster = found(world, command, "viewer")
  if ("names" in muster) return muster
  const { marked } = command
  if ((typeof marked === "number") !== (muster.mode === "anonymous")) return refused("MarkingNotOfMode")
  if (muster.ended !== undefined) {
    mark(world, "marking after the end refused")
    return refused("MusterEnded")
  }
  if (typeof marked === "number") {
    mark(world, "safe people counted")
    return marked === muster.count
      ? done(answer(world, muster))
      : change(world, { ...muster, count: marked }, "updated")
  }
  const present = peopleOf(world, muster)
  const asked = [...new Set(marked)].filter((person) => entryOf(muster, person)?.markedAt === undefined)
  const entries = asked.map((person): ModelEntry => {
    const { places = [], since } = present.find((one) => one.person === person) ?? {}
    if (since === undefined) mark(world, "a person marked who was not inside")
    else mark(world, "a person marked")
    return { person, places, since, markedAt: world.now, endedAt: entryOf(muster, person)?.endedAt }
  })
  if (entries.length === 0) return done(answer(world, muster))
  const inside = present.filter(({ since }) => since !== undefined).length
  const strangers = entries.filter(({ since }) => since === undefined).length
  if (strangers > 0 && present.length - inside + strangers > Math.max(1_000, inside)) {
    mark(world, "marking of too many refused")
    return refused("TooManyAdded")
  }
  const others = muster.entries.filter(({ person }) => !asked.includes(person))
  return change(world, { ...muster, entries: [...others, ...entries] }, "updated")
}

export const endMuster = (world: World, command: EndMuster): Outcome => {
  const muster = found(world, command, "manager")
  if ("names" in muster) return muster
  if (muster.ended !== undefined) {
    mark(world, "muster ended again")
    return done(answer(world, muster))
  }
  return change(world, { ...muster, endedAt: world.now, ended: standing(world, muster) }, "ended")
}
