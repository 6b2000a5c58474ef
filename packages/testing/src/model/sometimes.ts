import type { Command, Request } from "./commands.ts"
import { isDone, type Seen } from "./outcomes.ts"

const MUSTERS = ["StartMuster", "MarkSafe", "EndMuster"] as const

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
    ...(movements && won("Tell") ? ["race of movements with a tell"] : []),
    ...(movements && won("SetCapacity") ? ["race of movements with a capacity"] : []),
    ...(movements && won("Erase") ? ["race of movements with an erasure"] : []),
    ...(movements && won("StartMuster") ? ["race of movements with a muster's start"] : []),
    ...(movements && won("MarkSafe") ? ["race of movements with a marking"] : []),
    ...(movements && won("EndMuster") ? ["race of movements with a muster's end"] : []),
    ...(has("MarkSafe") && won("EndMuster") ? ["race of markings with a muster's end"] : []),
    ...(members.filter(({ _tag }) => _tag === "StartMuster").length > 1 ? ["race of musters"] : []),
    ...(has(...MUSTERS) && won("Erase") ? ["race of musters with an erasure"] : []),
    ...(has(...MUSTERS) && won("RemovePlace") ? ["race of musters with the end of a place"] : []),
    ...(powers.length > 0 && won("Erase") ? ["race of owners with an erasure"] : []),
    ...(movements && won("EditOrganization") ? ["race of movements with a change of mode"] : []),
    ...(members.filter(({ _tag }) => _tag === "Enter").length > 1 ? ["race of entrances"] : [])
  ]
}

/** In how many of its runs a check met each interesting state. */
export interface StatesMet {
  /** How many runs there were, without a last one that was shorter. */
  readonly runs: number
  readonly met: ReadonlyMap<string, number>
  /** Did the driver check credentials and the kinds of callers? */
  readonly wire: boolean
}

/** A state that too few runs met for the check to say anything about it. */
export interface Void {
  readonly mark: string
  /** How many runs met it, and how many meet it at least where it can be reached. */
  readonly met: number
  readonly least: number
}

/**
 * The share of runs that meet each state: measured over more than 1,000 runs, less three standard errors. What fewer than a sixth of
 * the runs meet is not listed, as the longest check may miss it by chance.
 */
type Shares = { readonly [mark: string]: number }

/** The states that every driver meets. */
const SOMETIMES: Shares = {
  "a person marked": 0.13,
  "told at a multiple of the interval": 0.14,
  "level told: over": 0.15,
  "level told: warning": 0.15,
  "marking after the end refused": 0.15,
  "exit from an abandoned stay refused": 0.16,
  "place refused: TooManyPlaces": 0.17,
  "favorite that ended with its organization": 0.18,
  "unlinking while inside": 0.18,
  "exit by somebody else refused": 0.19,
  "organization refused: AuthenticationServerRefused": 0.19,
  "race of movements with a muster's end": 0.19,
  "exit as another refused": 0.2,
  "report of somebody's time": 0.2,
  "organization refused: TrackingAreaMalformed": 0.21,
  "forgotten minutes left out": 0.22,
  "organization refused: TrackingAreaTooLarge": 0.22,
  "race of musters with the end of a place": 0.22,
  "one webhook too many refused": 0.23,
  "race of movements with an approval": 0.23,
  "second decision refused": 0.23,
  "deletion requested after a rejection": 0.24,
  "erasure of a bound administrator": 0.24,
  "history refused": 0.24,
  "level told: full": 0.24,
  "race of movements with a marking": 0.24,
  "organization refused: AuthenticationServerMissing": 0.25,
  "average stay told": 0.26,
  "organization refused: OrganizationNameTaken": 0.26,
  "organization refused: PlaceOutsideOrganization": 0.27,
  "race of movements with a capacity": 0.27,
  "stays abandoned": 0.27,
  "accesses of people read by user": 0.28,
  "erasure of the last owner refused": 0.28,
  "race of movements with the end of their place": 0.28,
  "level told: normal": 0.29,
  "exit after unlinking": 0.3,
  "invitation taken over": 0.3,
  "race of movements with a change of mode": 0.3,
  "approval with people inside": 0.31,
  "accesses of people read by administrator": 0.32,
  "entrance as another refused": 0.32,
  "id and mail of two administrators refused": 0.33,
  "second favorite refused": 0.33,
  "address that was not proved taken": 0.35,
  "a person marked who was not inside": 0.36,
  "deletion requested twice": 0.37,
  "level waits for the grain": 0.37,
  "race of musters": 0.38,
  "erasure of somebody inside": 0.39,
  "retry key expired": 0.39,
  "safe people counted": 0.4,
  "erasure of accesses": 0.42,
  "race of movements with a muster's start": 0.42,
  "stays ended with their place": 0.42,
  "anonymous token after a change of mode": 0.45,
  "link replaced": 0.46,
  "places that share a border": 0.46,
  "race of owners against each other": 0.46,
  "second account refused": 0.46,
  "person linked to another refused": 0.47,
  "average stay of few left out": 0.48,
  "race of musters with an erasure": 0.5,
  "retry key answered after its exit": 0.5,
  "race of movements with an erasure": 0.52,
  "change of more than the level refused": 0.54,
  "exit from where all has ended refused": 0.56,
  "demotion of the last owner refused": 0.58,
  "entrance repeated by a person inside": 0.59,
  "favorite without a link refused": 0.59,
  "second muster refused": 0.59,
  "race of movements with a tell": 0.61,
  "exit in the future refused": 0.62,
  "mode change with people inside": 0.62,
  "place refused: PlacesOverlap": 0.63,
  "retry key answered": 0.65,
  "token of other premises refused": 0.65,
  "second binding refused": 0.67,
  "entrance in the future refused": 0.68,
  "race of exits with one token": 0.69,
  "edit that changes nothing": 0.71,
  "place refused: PlaceOutsideOrganization": 0.72,
  "exit before its entrance refused": 0.74,
  "unbinding of the last owner refused": 0.74,
  "events wait for their grain": 0.75,
  "several accesses of tokens": 0.76,
  "entrance ahead of the clock accepted": 0.84,
  "tokens without an access left out": 0.84,
  "exit at another time refused": 0.88,
  "entrance without a link refused": 0.91,
  "binding of nobody refused": 0.92,
  "level of another capacity": 0.95,
  "exit sent again": 0.96,
  "accesses of another refused": 0.97,
  "exit at the instant of its entrance": 0.98,
  "feed read on": 0.98,
  "forged token refused": 0.98,
  "race of entrances": 0.98,
  race: 0.99
}

/** What only a driver meets that delivers events to webhooks, which no caller of the wire can ask for. */
const WITH_DELIVERIES: Shares = {
  "webhook disabled with its owner's level": 0.18,
  "events of a webhook: failed": 0.22,
  "events of a webhook: gone": 0.24,
  "webhook of another server left alone": 0.24,
  "events of a webhook: delivered": 0.57
}

/** What only a driver meets that checks credentials and the kinds of callers. */
const ON_THE_WIRE: Shares = {
  "caller of the wrong kind refused": 0.93,
  "credentials refused": 0.97
}

/** The probability that a sound check misses the least count of one state by chance. */
const CHANCE = 1e-8

/** How far a share is from another one: the Kullback-Leibler divergence of Bernoulli distributions. */
const divergence = (share: number, usual: number): number =>
  (share === 0 ? 0 : share * Math.log(share / usual)) + (1 - share) * Math.log((1 - share) / (1 - usual))

/**
 * How many runs meet a state at least, by the Chernoff bound of the binomial distribution: runs are independent of each other, even
 * though what happens within one is not. 0 where there are too few runs.
 */
export const leastOf = (usual: number, runs: number): number => {
  let least = 0
  while (least < usual * runs && runs * divergence(least / runs, usual) >= -Math.log(CHANCE)) least++
  return least
}

/** The states that a check met in fewer runs than a service with a feed of presence lets it: it is no evidence about these. */
export const voids = ({ runs, met, wire }: StatesMet): ReadonlyArray<Void> =>
  Object.entries({ ...SOMETIMES, ...(wire ? ON_THE_WIRE : WITH_DELIVERIES) }).flatMap(([mark, share]) => {
    const least = leastOf(share, runs)
    const count = met.get(mark) ?? 0
    return count < least ? [{ mark, met: count, least }] : []
  })
