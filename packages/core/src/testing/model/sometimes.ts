import type { Command, Request } from "./commands.ts"
import type { Seen } from "./outcomes.ts"

const isDone = (seen: Seen | undefined): boolean =>
  seen !== undefined && ("name" in seen ? seen.name === "Done" : seen.status < 300)

/** What requests at one moment have met: which of them won says that they did meet. */
export const marksOfRace = (members: ReadonlyArray<Request>, seen: ReadonlyArray<Seen>): ReadonlyArray<string> => {
  const winners = members.filter((_, index) => isDone(seen[index]))
  const timesByToken = new Map<string, Set<number | undefined>>()
  for (const member of members) {
    if (member._tag !== "Leave") continue
    const token = JSON.stringify(member.token)
    timesByToken.set(token, (timesByToken.get(token) ?? new Set()).add(member.time))
  }
  const isExitRace = [...timesByToken.values()].some((times) => times.size > 1)
  const has = (...tags: ReadonlyArray<Command["_tag"]>) => members.some(({ _tag }) => tags.includes(_tag))
  const won = (...tags: ReadonlyArray<Command["_tag"]>) => winners.some(({ _tag }) => tags.includes(_tag))
  const powers = members.filter(({ _tag }) => _tag === "Unbind" || _tag === "ChangeLevel")
  const crossing = powers.some((one) =>
    powers.some(
      (other) =>
        one.by.kind === "administrator" &&
        other.by.kind === "administrator" &&
        "administrator" in one &&
        "administrator" in other &&
        one.administrator === other.by.id &&
        other.administrator === one.by.id
    )
  )
  const movements = has("Enter", "Leave")
  return [
    "race",
    ...(isExitRace && won("Leave") ? ["race of exits with one token"] : []),
    ...(crossing && winners.length > 0 ? ["race of owners against each other"] : []),
    ...(movements && won("RemovePlace") ? ["race of movements with the end of their place"] : []),
    ...(movements && won("Decide") ? ["race of movements with an approval"] : []),
    ...(movements && won("EditOrganization") ? ["race of movements with a change of mode"] : []),
    ...(members.filter(({ _tag }) => _tag === "Enter").length > 1 ? ["race of entrances"] : [])
  ]
}

/** A state was met too seldom for the run to say anything about it. */
export interface Void {
  readonly mark: string
  readonly met: number
  readonly least: number
}

/** How often each interesting state has to be met in a thousand commands. */
export const SOMETIMES: { readonly [mark: string]: number } = {}

/** What was met too seldom: a run that is void there is no evidence. */
export const voids = (met: ReadonlyMap<string, number>, commands: number): ReadonlyArray<Void> =>
  Object.entries(SOMETIMES).flatMap(([mark, rate]) => {
    const least = Math.max(1, Math.floor((rate * commands) / 1000))
    const count = met.get(mark) ?? 0
    return count < least ? [{ mark, met: count, least }] : []
  })
