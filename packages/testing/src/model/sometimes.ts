import type { Command, Request } from "./commands.ts"
import type { Seen } from "./outcomes.ts"

const isDone = (seen: Seen | undefined): boolean =>
  seen !== undefined && ("name" in seen ? seen.name === "Done" : seen.status < 300)

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

/** A state was met too seldom for the run to say anything about it. */
export interface Void {
  readonly mark: string
  readonly met: number
  readonly least: number
}

/** How often each interesting state is usually met in a thousand commands. */
export const SOMETIMES: { readonly [mark: string]: number } = {
  "favorite that ended with its organization": 0.6,
  "invitation taken over": 0.8,
  "address that was not proved taken": 0.8,
  "binding by an address that nobody proved refused": 0.6,
  "organization refused: AuthenticationServerRefused": 0.8,
  "organization refused: TrackingAreaMalformed": 0.9,
  "organization refused: TrackingAreaTooLarge": 1.3,
  "exit from an abandoned stay refused": 1.1,
  "erasure of a bound administrator": 1.5,
  "erasure of the last owner refused": 1.7,
  "race of movements with the end of their place": 1.3,
  "deletion requested after a rejection": 1.9,
  "race of movements with an erasure": 1.8,
  "stays abandoned": 2,
  "race of movements with an approval": 2,
  "unlinking while inside": 2.1,
  "report of somebody's time": 2.3,
  "organization refused: OrganizationNameTaken": 2.1,
  "organization refused: PlaceOutsideOrganization": 2.4,
  "organization refused: AuthenticationServerMissing": 2.4,
  "exit by somebody else refused": 2.2,
  "second decision refused": 2.3,
  "exit as another refused": 2.6,
  "id and mail of two administrators refused": 2.5,
  "approval with people inside": 2.8,
  "erasure of somebody inside": 2.3,
  "erasure of accesses": 2.7,
  "accesses of people read by user": 2.7,
  "accesses of people read by administrator": 2.9,
  "race of movements with a change of mode": 2.5,
  "deletion requested twice": 3.4,
  "stays ended with their place": 3.7,
  "link replaced": 4.2,
  "place refused: TooManyPlaces": 4.4,
  "race of owners against each other": 4.3,
  "person linked to another refused": 4.4,
  "entrance as another refused": 4.7,
  "second favorite refused": 4.3,
  "token of other premises refused": 4.9,
  "change of more than the level refused": 5.2,
  "second account refused": 5.2,
  "demotion of the last owner refused": 5.4,
  "retry key expired": 5.2,
  "exit after unlinking": 5.8,
  "favorite without a link refused": 6,
  "exit in the future refused": 6.9,
  "places that share a border": 7.5,
  "edit that changes nothing": 7.8,
  "entrance in the future refused": 7.8,
  "second binding refused": 8.1,
  "retry key answered after its exit": 8.5,
  "race of exits with one token": 8.5,
  "mode change with people inside": 8.8,
  "place refused: PlaceOutsideOrganization": 8.8,
  "anonymous token after a change of mode": 8.8,
  "unbinding of the last owner refused": 9.7,
  "binding of nobody refused": 11,
  "exit before its entrance refused": 11,
  "place refused: PlacesOverlap": 11,
  "retry key answered": 12,
  "exit from where all has ended refused": 13,
  "several accesses of tokens": 13,
  "entrance ahead of the clock accepted": 14,
  "entrance repeated by a person inside": 16,
  "tokens without an access left out": 17,
  "exit at another time refused": 24,
  "race of entrances": 25,
  "exit sent again": 34,
  "exit at the instant of its entrance": 37,
  "forged token refused": 38,
  "accesses of another refused": 36,
  "entrance without a link refused": 48,
  race: 67
}

/** The same for what only a driver meets that keeps the feed of presence. */
export const SOMETIMES_WITH_FEED: { readonly [mark: string]: number } = {
  ...SOMETIMES,
  "deletion requested twice": 2.3,
  "second binding refused": 5.7,
  "retry key answered after its exit": 4.5,
  "race of exits with one token": 5.1,
  "mode change with people inside": 6.2,
  "place refused: PlaceOutsideOrganization": 5.7,
  "anonymous token after a change of mode": 6.5,
  "unbinding of the last owner refused": 7.2,
  "exit before its entrance refused": 8.4,
  "place refused: PlacesOverlap": 7.2,
  "retry key answered": 8.6,
  "exit from where all has ended refused": 6.0,
  "entrance ahead of the clock accepted": 9.2,
  "entrance repeated by a person inside": 9.7,
  "exit at another time refused": 15.9,
  "exit sent again": 24.8,
  "exit at the instant of its entrance": 23.9,
  "level held": 0.35,
  "level told: over": 0.55,
  "a person marked": 0.7,
  "forgotten minutes left out": 0.7,
  "webhook of another server left alone": 0.7,
  "events of a webhook: failed": 1,
  "events of a webhook: gone": 1,
  "events of a webhook: delivered": 2.2,
  "history refused": 1.1,
  "average stay told": 4,
  "level told: warning": 1,
  "level told: full": 0.9,
  "level told: normal": 1.3,
  "race of movements with a capacity": 1,
  "race of movements with a muster's end": 0.7,
  "race of musters with the end of a place": 0.65,
  "race of movements with a marking": 1.6,
  "race of musters": 1.9,
  "race of movements with a muster's start": 2,
  "race of musters with an erasure": 2.9,
  "a person marked who was not inside": 2.2,
  "safe people counted": 2.6,
  "second muster refused": 2.9,
  "race of movements with a tell": 4.5,
  "level of another capacity": 13,
  "feed read on": 20,
  "events wait for their grain": 16
}

const WITHOUT_DELIVERIES = Object.fromEntries(
  Object.entries(SOMETIMES_WITH_FEED).filter(([mark]) => !mark.includes("webhook"))
)

/** The same for what only a driver meets that checks credentials and the kinds of callers. */
export const SOMETIMES_ON_THE_WIRE: { readonly [mark: string]: number } = {
  ...WITHOUT_DELIVERIES,
  "caller of the wrong kind refused": 10,
  "credentials refused": 11
}

/** What is met more seldom than this in a whole run may be missed by chance: runs are not held to it. */
const SELDOM = 12

/**
 * What was met less than a sixth as often as usual: a run that is void there is no evidence. A short run is not held to
 * what it would meet seldom; 20,000 commands are held to everything.
 */
export const voids = (
  met: ReadonlyMap<string, number>,
  commands: number,
  sometimes: { readonly [mark: string]: number } = SOMETIMES
): ReadonlyArray<Void> =>
  Object.entries(sometimes).flatMap(([mark, rate]) => {
    const usual = (rate * commands) / 1000
    const least = usual < SELDOM ? 0 : Math.ceil(usual / 6)
    const count = met.get(mark) ?? 0
    return count < least ? [{ mark, met: count, least }] : []
  })
