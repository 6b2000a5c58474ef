/** Random subjects of the model's commands: callers, organizations, places and mail addresses; and the requests of one moment. */
import type { PermissionLevel } from "@sojourn/core"
import type { Random } from "../Random.ts"
import { type ModelOrganization, type World, findOrganization, holds, linkedPerson } from "../World.ts"
import type { Caller, Command, PremisesRef, Request } from "../commands.ts"
import { PEOPLE } from "../Driver.ts"

/** The inputs of a random choice: the current world and the previous requests. */
export interface Scene {
  readonly random: Random
  readonly world: World
  readonly history: ReadonlyArray<Command>
  /** The label of what the command creates, new in this run. */
  readonly label: string
  /** Whether the driver checks credentials and kinds of callers, so that wrong ones are generated, too. */
  readonly wire: boolean
}

export const USERS = ["ann", "bob", "cyn", "dan"] as const

/** Callers who are administrators. Two share a mail address, and one has none. */
export const ADMINISTRATORS: ReadonlyArray<Extract<Caller, { readonly kind: "administrator" }>> = [
  { kind: "administrator", id: "olga", mail: "olga@example.org" },
  { kind: "administrator", id: "otto", mail: "otto@example.org" },
  { kind: "administrator", id: "mia", mail: "mia@example.org" },
  { kind: "administrator", id: "vic", mail: "vic@example.org" },
  { kind: "administrator", id: "max" },
  { kind: "administrator", id: "eve", mail: "OLGA@example.org" }
]

/** Mail addresses that no caller has from the start. */
export const UNKNOWN_MAILS = ["new@example.org", "pam@example.org", "Pam@Example.org", "sam@example.org"]

/** Mail addresses that may or may not be an administrator's. */
export const MAILS = [
  ...ADMINISTRATORS.flatMap(({ mail }) => mail ?? []),
  "Vic@Example.org",
  "max@example.org",
  ...UNKNOWN_MAILS
]

/** Persons. The last ids are unknown to every directory and account. */
export const ANY_PERSON = [...PEOPLE.map(({ person }) => person), "mallory"]
export const ANY_ADMINISTRATOR = [...ADMINISTRATORS.map(({ id }) => id), "nil"]

export const OPERATOR_ID = "opal"
export const OPERATOR: Caller = { kind: "operator", id: OPERATOR_ID }

const WRONG: ReadonlyArray<Caller> = [
  { kind: "unauthenticated" },
  { kind: "invalidToken" },
  OPERATOR,
  { kind: "user", id: "ann" },
  ADMINISTRATORS[3] as Caller
]

/** The caller, or sometimes one of the wrong kind or without credentials, if the driver checks this. */
export const as = ({ random, wire }: Scene, who: Caller): Caller =>
  wire && random.chance(0.05) ? random.pick(WRONG) : who

export const userNamed = (id: string): Caller => ({ kind: "user", id })
export const someUser = (scene: Scene): Caller => as(scene, userNamed(scene.random.pick(USERS)))
export const someOperator = (scene: Scene): Caller => as(scene, OPERATOR)

/** The mail addresses that an owner entered and that are not proved. */
const unprovedMails = (world: World): ReadonlyArray<string> => world.unproved.map(({ mail }) => mail)

/** The administrators who may prove such a mail address: one with an account, and some without. */
const INVITED = ["max", "pam", "pia"]

const someInvited = ({ random, world }: Scene): Caller | undefined => {
  const mails = unprovedMails(world)
  if (mails.length === 0 || !random.chance(0.1)) return undefined
  return { kind: "administrator", id: random.pick(INVITED), mail: random.pick(mails) }
}

/** An administrator with the level in four of five cases, sometimes one who was invited. */
export const someAdministrator = (
  scene: Scene,
  organization: ModelOrganization | undefined,
  level: PermissionLevel
): Caller => {
  const { random } = scene
  const guest = someInvited(scene)
  if (guest !== undefined) return guest
  const able = organization === undefined ? [] : ADMINISTRATORS.filter((who) => holds(organization, who, level))
  return as(scene, random.pick(able.length > 0 && random.chance(0.8) ? able : ADMINISTRATORS))
}

/** An existing organization. */
export const someOrganization = ({ random, world }: Scene): ModelOrganization => random.pick(world.organizations)

/** The labels of organizations that were deleted. */
export const endedOrganizations = ({ world }: Scene): ReadonlyArray<string> =>
  world.requests.flatMap((request) => (request.status === "approved" ? [request.organization] : []))

/** The label of an organization, sometimes of one that does not exist. */
export const organizationLabel = (scene: Scene): string =>
  scene.random.chance(0.03)
    ? scene.random.pick(["o-none", ...endedOrganizations(scene)])
    : someOrganization(scene).label

export const organizationNamed = ({ world }: Scene, label: string) => findOrganization(world, label)

const endedPlaces = ({ world }: Scene): ReadonlyArray<string> =>
  world.stays.flatMap((stay) => (stay.gone && stay.at.startsWith("place ") ? [stay.at.slice(6)] : []))

/** The label of a place, at times of one that is not there. */
export const placeLabel = (scene: Scene): string => {
  const places = scene.world.organizations.flatMap((organization) => organization.places.map((place) => place.label))
  const missing = ["p-none", ...endedPlaces(scene)]
  return scene.random.pick(places.length === 0 || scene.random.chance(0.05) ? missing : places)
}

/** Some premises. */
export const somePremises = (scene: Scene): PremisesRef =>
  scene.random.chance(0.5) ? { organization: organizationLabel(scene) } : { place: placeLabel(scene) }

/** A user, preferably one who is linked where people are known. */
export const userAt = (scene: Scene, organization: ModelOrganization | undefined): Caller => {
  const { random } = scene
  const linked =
    organization === undefined ? [] : USERS.filter((user) => linkedPerson(organization, user) !== undefined)
  if (organization?.mode !== "authenticated" || linked.length === 0 || random.chance(0.2)) return someUser(scene)
  return as(scene, userNamed(random.pick(linked)))
}

type Make = (scene: Scene) => Request

/** So many requests, each with a label of its own. */
export const times = (scene: Scene, count: number, make: Make, from = 0): ReadonlyArray<Request> =>
  Array.from({ length: count }, (_, index) => make({ ...scene, label: `${scene.label}.${from + index}`, wire: false }))

/** A number from the smallest to the largest. */
export const some = ({ random }: Scene, smallest: number, largest: number): number =>
  smallest + random.below(largest - smallest + 1)

/** The administrators who own an organization. */
export const ownersOf = (organization: ModelOrganization): ReadonlyArray<Caller> =>
  ADMINISTRATORS.filter(({ id }) =>
    organization.permissions.some((one) => one.administrator === id && one.level === "owner")
  )
