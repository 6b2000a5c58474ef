/** Coverage: the interesting states that a check must reach in a minimum number of its runs. */
import type { Request, RequestOf } from "./commands.ts"
import { sameMail } from "./nextWorld.ts"
import type { Linearized } from "./linearize.ts"
import type { Answer } from "./outcomes.ts"
import {
  findOrganization,
  hasInterval,
  isOpen,
  linkedPerson,
  organizationAt,
  stayOfToken,
  type World
} from "./World.ts"

type Fields = { readonly [field: string]: any }
type States = ReadonlyArray<string | false | undefined>

const rowsOf = (value: unknown): ReadonlyArray<Fields> => (Array.isArray(value) ? value : [])

/** What an exit met. */
const statesOfLeave = (world: World, request: RequestOf<"Leave">, { name }: Answer): States => {
  const stay = world.stays[stayOfToken(world, request.token) ?? -1]
  const organization = organizationAt(world, request.at)
  if (stay === undefined) return []
  if (name !== "Done") return [stay.isAbandoned === true && "state: exit from an abandoned stay refused"]
  const linked = organization && "id" in request.by ? linkedPerson(organization, request.by.id) : undefined
  return [
    stay.exit !== undefined && "state: exit sent again",
    stay.person === undefined &&
      organization?.mode === "authenticated" &&
      "state: anonymous token after a change of mode",
    stay.person !== undefined && linked === undefined && "state: exit after unlinking"
  ]
}

/** What the success of a request met, beside its name. */
const statesOfSuccess = (world: World, request: Request, { value, tokens }: Answer): States => {
  const fields = (value ?? {}) as Fields
  const isInside = (label: string) => world.stays.some((stay) => stay.organization === label && isOpen(stay))
  switch (request._tag) {
    case "Enter": {
      const known = world.stays[world.tokens.get(tokens[0] ?? "") ?? -1]
      const ahead = (request.time ?? 0) > world.now && "state: entrance ahead of the clock accepted"
      if (known === undefined) return [ahead]
      return [
        known.exit === undefined ? "state: entrance answered again" : "state: entrance answered again after its exit"
      ]
    }
    case "Decide":
      return [request.verdict === "approved" && isInside(request.organization) && "state: approval with people inside"]
    case "EditOrganization": {
      const isOther = findOrganization(world, request.organization)?.mode !== fields["mode"]
      return [isOther && isInside(request.organization) && "state: mode change with people inside"]
    }
    case "RemovePlace":
      return [
        world.stays.some((stay) => stay.at === `place ${request.place}` && isOpen(stay)) &&
          "state: place ended with people inside"
      ]
    case "Erase":
      return ["openStays", "accesses", "permissions", "accountLinks"].map((one) => fields[one] > 0 && `erasure: ${one}`)
    case "Publish":
      return [fields["nextAt"] !== undefined && "state: events wait"]
    case "ReadFeed": {
      const organization = findOrganization(world, request.organization)
      const events = rowsOf(fields["events"])
      return [
        events.length > 0 && "state: feed read on",
        events.some(({ type }) => type === "presence") &&
          organization &&
          hasInterval(organization) &&
          "state: published at an interval",
        ...events.map(({ type, level }) => type === "capacity" && `level published: ${level}`)
      ]
    }
    case "ReadCapacity":
      return [`level read: ${fields["level"]}`]
    case "ReadHistory": {
      const { minutesFrom = 0 } = organizationAt(world, request.at) ?? {}
      return [
        rowsOf(value).some(({ averageStay }) => averageStay !== undefined) && "state: average stay answered",
        request.step === "minute" && request.from < minutesFrom && "state: forgotten minutes left out"
      ]
    }
    case "ReadMuster":
    case "MarkSafe":
    case "EndMuster":
      return rowsOf(fields["people"]).map(({ state }) => `person of a muster: ${state}`)
    case "Deliver":
      return rowsOf(value).map(({ events }) => events.length > 0 && `delivery: ${request.outcome}`)
    case "ListWebhooks":
      return rowsOf(value).map(({ state }) => `webhook: ${state}`)
    default:
      return []
  }
}

const named = (states: States): ReadonlyArray<string> =>
  states.flatMap((state) => (typeof state === "string" ? state : []))

/** The states that an answer met. `world` is as before it. */
export const statesOf = (world: World, request: Request, answer: Answer): ReadonlyArray<string> =>
  named([
    ...(request._tag === "Leave" ? statesOfLeave(world, request, answer) : []),
    ...(answer.name === "Done" ? statesOfSuccess(world, request, answer) : [])
  ])

/** What an answer met: the states, and its own name. */
export const coveredBy = (world: World, request: Request, answer: Answer): ReadonlyArray<string> => {
  const { by, _tag } = request
  const isProved = by.kind === "administrator" && world.unproved.some(({ mail }) => sameMail(mail, by.mail ?? ""))
  return named([
    `${answer.name === "WrongKind" || answer.name === "NotAuthenticated" ? "refused" : _tag}: ${answer.name}`,
    isProved && "state: address proved that an owner wrote down",
    ...statesOf(world, request, answer)
  ])
}

/** Pairs of kinds of requests whose races are covered: one of the second kind succeeded. */
const MEETINGS: ReadonlyArray<readonly [one: ReadonlyArray<Request["_tag"]>, other: ReadonlyArray<Request["_tag"]>]> = [
  ...(["RemovePlace", "Decide", "Publish", "SetCapacity", "Erase", "EditOrganization"] as const).map(
    (tag) => [["Enter", "Leave"], [tag]] as const
  ),
  ...(["StartMuster", "MarkSafe", "EndMuster"] as const).map((tag) => [["Enter", "Leave"], [tag]] as const),
  [["MarkSafe"], ["EndMuster"]],
  [["StartMuster", "MarkSafe", "EndMuster"], ["Erase"]],
  [["StartMuster", "MarkSafe", "EndMuster"], ["RemovePlace"]],
  [["Unbind", "ChangeLevel"], ["Erase"]]
]

/** The races that concurrent requests covered. */
export const coveredByRace = (members: ReadonlyArray<Linearized>): ReadonlyArray<string> => {
  const tagsOf = (some: ReadonlyArray<Linearized>) => some.map(({ request }) => request._tag)
  const all = tagsOf(members)
  const won = tagsOf(members.filter(({ answer }) => answer.name === "Done"))
  const twice = (["Enter", "Leave", "StartMuster", "Unbind"] as const).filter(
    (tag) => all.indexOf(tag) !== all.lastIndexOf(tag) && won.includes(tag)
  )
  return [
    ...twice.map((tag) => `race: ${tag}`),
    ...MEETINGS.flatMap(([one, other]) =>
      one.some((tag) => all.includes(tag)) && other.some((tag) => won.includes(tag))
        ? `race: ${one[0]} with ${other[0]}`
        : []
    )
  ]
}

/** In how many of its runs a check met each interesting state. */
export interface Coverage {
  /** How many runs there were, without a last one that was shorter. */
  readonly runs: number
  readonly met: ReadonlyMap<string, number>
  /** Did the driver check credentials and the kinds of callers? */
  readonly wire: boolean
}

/** A state that too few runs met for the check to say anything about it. */
export interface Shortfall {
  readonly state: string
  /** How many runs met it, and how many meet it at least where it can be reached. */
  readonly met: number
  readonly least: number
}

/**
 * The share of runs that meet each state, by group: measured over 600 runs, less three standard errors. What fewer than a sixth of the
 * runs meet is not listed, as the longest check may miss it by chance.
 */
type Shares = { readonly [group: string]: { readonly [name: string]: number } }

/** What every driver meets: the answers to each request, races, and other states. */
const EVERYWHERE: Shares = {
  AddFavorite: { FavoriteExists: 0.17, NotLinked: 0.52, Done: 0.8 },
  AskPeople: { Done: 0.18, DirectoryRefused: 0.25 },
  Bind: {
    OrganizationNotFound: 0.18,
    AdministratorsDiffer: 0.27,
    AlreadyBound: 0.58,
    PermissionTooLow: 0.69,
    Done: 0.87,
    AdministratorNotFound: 0.89
  },
  ChangeLevel: { LastOwnerStays: 0.36, OnlyLevelChanges: 0.51, Done: 0.57 },
  ChangePolicy: { Done: 0.92 },
  ConstrainArea: { TrackingAreaTooLarge: 0.21, Done: 0.29 },
  Create: { AdministratorExists: 0.41, Done: 0.58 },
  CreateOrganization: {
    AdministratorsDiffer: 0.18,
    OrganizationNameTaken: 0.4,
    AuthenticationServerMissing: 0.41,
    TrackingAreaMalformed: 0.43,
    AuthenticationServerRefused: 0.44,
    TrackingAreaTooLarge: 0.84,
    Done: 0.99
  },
  CreatePlace: { TrackingAreaMalformed: 0.33, PlacesOverlap: 0.34, PlaceOutsideOrganization: 0.6, Done: 0.94 },
  CreateWebhook: { WebhookUrlRefused: 0.27, Done: 0.93 },
  Decide: { Done: 0.66 },
  EditOrganization: {
    AuthenticationServerRefused: 0.18,
    OrganizationNameTaken: 0.19,
    AuthenticationServerMissing: 0.25,
    Done: 0.99
  },
  EditPlace: { Done: 0.7 },
  EditTrackingArea: { Done: 0.55 },
  EndMuster: { Done: 0.32 },
  Enter: { IdentityNotOwn: 0.26, TimestampInFuture: 0.54, NotLinked: 0.86, PremisesNotFound: 0.92, Done: 0.99 },
  Erase: { OnlyOwner: 0.24, Done: 0.97 },
  KeepHistory: { Done: 0.92 },
  Leave: {
    IdentityNotOwn: 0.22,
    PremisesNotFound: 0.55,
    TimestampInFuture: 0.56,
    ExitBeforeEntrance: 0.7,
    Done: 0.99,
    ExitNotMatched: 0.99
  },
  Link: {
    LinkedToAnother: 0.17,
    DirectoryUnreachable: 0.19,
    AuthenticationServerMissing: 0.22,
    Done: 0.93,
    DirectoryRefused: 0.94
  },
  ListInside: { PeopleNotTracked: 0.36 },
  MarkSafe: { Done: 0.67 },
  Publish: { Done: 0.99 },
  ReadAccessesOfPeople: { AccessesOfAnother: 0.89 },
  ReadHistory: { HistoryRangeInvalid: 0.25 },
  Register: { AdministratorExists: 0.36 },
  RemovePlace: { Done: 0.57 },
  RequestDeletion: { DeletionRequestOfAnother: 0.33, Done: 0.88 },
  SetCapacity: { Done: 0.93 },
  StartMuster: { MusterOpen: 0.38, Done: 0.78 },
  Unbind: { Done: 0.38, LastOwnerStays: 0.67 },
  Unlink: { Done: 0.53, AccountLinkNotFound: 0.86 },
  race: {
    Enter: 0.88,
    "Enter with Decide": 0.22,
    "Enter with EditOrganization": 0.27,
    "Enter with Erase": 0.37,
    "Enter with MarkSafe": 0.22,
    "Enter with Publish": 0.78,
    "Enter with RemovePlace": 0.22,
    "Enter with SetCapacity": 0.39,
    "Enter with StartMuster": 0.37,
    Leave: 0.76,
    StartMuster: 0.25,
    "StartMuster with Erase": 0.43,
    "StartMuster with RemovePlace": 0.19
  },
  erasure: { permissions: 0.18, openStays: 0.24, accesses: 0.27, accountLinks: 0.69 },
  "level published": { over: 0.37, full: 0.46, warning: 0.46, normal: 0.86 },
  "person of a muster": { left: 0.28, missing: 0.35, safe: 0.44 },
  state: {
    "published at an interval": 0.22,
    "exit after unlinking": 0.23,
    "place ended with people inside": 0.23,
    "stays abandoned": 0.23,
    "forgotten minutes left out": 0.36,
    "anonymous token after a change of mode": 0.44,
    "mode change with people inside": 0.48,
    "address proved that an owner wrote down": 0.54,
    "events wait": 0.7,
    "average stay answered": 0.76,
    "entrance ahead of the clock accepted": 0.77,
    "exit sent again": 0.9,
    "feed read on": 0.99,
    "entrance answered again after its exit": 0.43,
    "entrance answered again": 0.69
  }
}

/** What only a driver meets that delivers events to webhooks, which no caller of the wire can ask for. */
const WITH_DELIVERIES: Shares = {
  delivery: { gone: 0.19, delivered: 0.47 },
  EnableWebhook: { Done: 0.23 },
  webhook: { disabled: 0.34 },
  Deliver: { Done: 0.79 }
}

/** What only a driver meets that checks credentials and the kinds of callers. */
const ON_THE_WIRE: Shares = { refused: { WrongKind: 0.93, NotAuthenticated: 0.97 } }

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

/**
 * The states that a check met in fewer runs than a service with a feed of presence lets it: it is no evidence about these.
 */
export const shortfalls = ({ runs, met, wire }: Coverage): ReadonlyArray<Shortfall> =>
  Object.entries({ ...EVERYWHERE, ...(wire ? ON_THE_WIRE : WITH_DELIVERIES) }).flatMap(([group, shares]) =>
    Object.entries(shares).flatMap(([name, share]) => {
      const state = `${group}: ${name}`
      const least = leastOf(share, runs)
      const count = met.get(state) ?? 0
      return count < least ? [{ state, met: count, least }] : []
    })
  )
