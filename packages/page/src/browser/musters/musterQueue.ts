/** What is marked in musters and the server has not answered yet: entries in order, each sent once. Pure. */
import type { Muster } from "@sojourn/client"

/** What a warden does in a muster. */
export type MusterAct =
  | { readonly kind: "safe" | "missing"; readonly person: string }
  | { readonly kind: "swept"; readonly placeId: number; readonly swept: boolean }
  | { readonly kind: "count"; readonly count: number }

/** `waiting` was not sent yet; `uncertain` was sent, and not answered: the server may know it. */
interface MusterEntry {
  readonly musterId: number
  readonly act: MusterAct
  readonly state: "waiting" | "sending" | "uncertain"
}

export type MusterQueue = ReadonlyArray<MusterEntry>

/** What an act is about: the later of two acts about the same counts. */
const subjectOf = (act: MusterAct): string =>
  "person" in act ? `person ${act.person}` : act.kind === "swept" ? `place ${act.placeId}` : "count"

const valueOf = (act: MusterAct) => ("person" in act ? act.kind : act.kind === "swept" ? act.swept : act.count)

/**
 * The queue after an act. An act that takes back one that was not sent cancels it: neither needs to be sent. One whose answer is missing
 * is replaced in its place, to be sent if the server knows it.
 */
export const withAct = (queue: MusterQueue, musterId: number, act: MusterAct): MusterQueue => {
  const added: MusterEntry = { musterId, act, state: "waiting" }
  const isAbout = (entry: MusterEntry) => entry.musterId === musterId && subjectOf(entry.act) === subjectOf(act)
  const nth = queue.findLastIndex(isAbout)
  const last = queue[nth]
  if (last === undefined || (last.state === "sending" && valueOf(last.act) !== valueOf(act))) return [...queue, added]
  if (valueOf(last.act) === valueOf(act)) return queue
  const replacing = last.state === "uncertain" || act.kind === "count" ? [{ ...added, state: last.state }] : []
  return [...queue.slice(0, nth), ...replacing, ...queue.slice(nth + 1)]
}

/** The queue with another state of its first entry. */
export const withState = ([first, ...rest]: MusterQueue, state: MusterEntry["state"]): MusterQueue =>
  first === undefined ? [] : [{ ...first, state }, ...rest]

/** Whether an act still changes a muster. */
export const isNeeded = (act: MusterAct, { people = [], swept = [], safe }: Muster): boolean => {
  if (act.kind === "count") return safe !== act.count
  if (act.kind === "swept") return swept.some(({ placeId }) => placeId === act.placeId) !== act.swept
  const state = people.find(({ orgAuthServerId }) => orgAuthServerId === act.person)?.state
  return act.kind === "safe" ? state !== "safe" : state === "safe" || state === "left"
}

/** The queue that the tab kept. What was being sent may have arrived. */
export const readQueue = (kept: MusterQueue = []): MusterQueue =>
  kept.map((entry) => (entry.state === "sending" ? { ...entry, state: "uncertain" } : entry))

/** A muster as it will be once the queue is sent, and the subjects in which it differs by that: what changes nothing does not wait. */
export const withQueue = (
  muster: Muster,
  queue: MusterQueue,
  at: string
): { readonly muster: Muster; readonly waiting: ReadonlySet<string> } => {
  const acts = queue.filter(({ musterId }) => musterId === muster.musterId).map(({ act }) => act)
  if (acts.length === 0 || muster.endedAt !== undefined) return { muster, waiting: new Set() }
  const people = new Map(muster.people?.map((person) => [person.orgAuthServerId, person]))
  const swept = new Map(muster.swept?.map((place) => [place.placeId, place]))
  let { safe, missing } = muster
  for (const act of acts) {
    if (act.kind === "count") {
      safe = act.count
      missing = Math.max(0, muster.inside - Math.max(muster.left, safe))
    } else if (act.kind === "swept") {
      if (!act.swept) swept.delete(act.placeId)
      else if (!swept.has(act.placeId)) swept.set(act.placeId, { placeId: act.placeId, at, by: "" })
    } else {
      const person = people.get(act.person) ?? { orgAuthServerId: act.person, placeIds: [], state: "missing" }
      if (person.state === "left") continue
      const { at: _, ...unmarked } = person
      if (act.kind === "safe") people.set(act.person, { ...person, state: "safe", at: person.at ?? at })
      else if (person.since === undefined) people.delete(act.person)
      else people.set(act.person, { ...unmarked, state: "missing" })
    }
  }
  const list = muster.people && [...people.values()]
  const count = (state: string) => list?.filter((person) => person.state === state).length ?? 0
  return {
    muster: {
      ...muster,
      ...(list === undefined
        ? { safe, missing }
        : { people: list, inside: list.length, safe: count("safe"), left: count("left"), missing: count("missing") }),
      swept: [...swept.values()]
    },
    waiting: new Set(acts.filter((act) => isNeeded(act, muster)).map(subjectOf))
  }
}
