/**
 * Invariants of all answers. The oracle shares the rules of the core with the service, so a comparison misses what both get wrong.
 */
import type { PermissionLevel } from "@sojourn/core"
import type { Request } from "./commands.ts"
import { sameMail } from "./nextWorld.ts"
import { isInvitation } from "./Names.ts"
import type { Answer } from "./outcomes.ts"
import {
  findOrganization,
  hasInterval,
  holds,
  isOpen,
  linkedPerson,
  openAt,
  organizationAt,
  premisesName,
  stayOfToken,
  type World
} from "./World.ts"

type Fields = { readonly [field: string]: any }
type Levels = { readonly [Tag in Request["_tag"]]?: PermissionLevel }

/** The level that an administrator holds at least who is answered by success (spec: accounts#levels). */
const LEAST: Levels = {
  EditOrganization: "owner",
  EditTrackingArea: "manager",
  ReadOrganization: "viewer",
  CreatePlace: "manager",
  EditPlace: "manager",
  RemovePlace: "manager",
  ListPlaces: "viewer",
  Bind: "owner",
  Create: "owner",
  Unbind: "owner",
  ChangeLevel: "owner",
  ListPermissions: "owner",
  AskPeople: "viewer",
  RequestDeletion: "owner",
  ReadCounter: "viewer",
  ReadAccessesOfPeople: "viewer",
  ReadReport: "viewer",
  SetCapacity: "manager",
  ReadCapacity: "viewer",
  ReadFeed: "viewer",
  ReadHistory: "viewer",
  ListInside: "viewer",
  StartMuster: "manager",
  ListMusters: "viewer",
  ReadMuster: "viewer",
  MarkSafe: "viewer",
  EndMuster: "manager",
  CreateWebhook: "owner",
  ListWebhooks: "owner",
  RemoveWebhook: "owner",
  EnableWebhook: "owner"
}

/** The organization that a request is about. */
const organizationOf = (world: World, request: Request) => {
  if ("at" in request) return organizationAt(world, request.at)
  if ("place" in request && request._tag !== "CreatePlace") return organizationAt(world, { place: request.place })
  const owned = [
    ...("muster" in request ? world.musters.filter(({ label }) => label === request.muster) : []),
    ...("webhook" in request ? world.webhooks.filter(({ label }) => label === request.webhook) : [])
  ]
  const label = "organization" in request ? request.organization : owned[0]?.organization
  return label === undefined ? undefined : findOrganization(world, label)
}

/** What an administrator or a user was allowed who may not do it. */
const overreach = (world: World, request: Request): string | undefined => {
  const { by, _tag } = request
  const organization = organizationOf(world, request)
  const level = LEAST[_tag]
  if (by.kind === "administrator" && level !== undefined) {
    return organization !== undefined && holds(organization, by, level) ? undefined : `the caller is no ${level}`
  }
  if (by.kind !== "user" || organization === undefined) return undefined
  const linked = linkedPerson(organization, by.id)
  if (_tag === "ReadAccessesOfPeople") {
    return request.people.every((person) => person === linked) ? undefined : "the caller is another person"
  }
  if (_tag === "Enter") {
    return organization.mode === "anonymous" || linked !== undefined ? undefined : "the caller is not linked"
  }
  if (_tag !== "Leave") return undefined
  const person = world.stays[stayOfToken(world, request.token) ?? -1]?.person
  return person === undefined || linked === undefined || person === linked ? undefined : "the stay is another person's"
}

/** Is it a count of the people who were let in and did not leave? */
const miscounted = (world: World, request: Request, value: Fields): string | undefined => {
  if (request._tag !== "ReadCounter") return undefined
  const organization = organizationAt(world, request.at)
  const open = openAt(world, request.at).length
  if (organization === undefined || hasInterval(organization) || value["counter"] === open) return undefined
  return `${open} people are inside`
}

/** Is a report the sum of the accesses of each person? */
const misreported = (world: World, request: Request, rows: ReadonlyArray<Fields>): string | undefined => {
  if (request._tag !== "ReadReport") return undefined
  const sums = new Map<string, number>()
  for (const { at, person, entrance, exit, gone } of world.stays) {
    if (person === undefined || exit === undefined || gone || at !== premisesName(request)) continue
    sums.set(person, (sums.get(person) ?? 0) + exit - entrance)
  }
  const isRight = ({ person, seconds }: Fields) => Math.floor((sums.get(person) ?? -1) / 1000) === seconds
  return rows.length === sums.size && rows.every(isRight) ? undefined : "the accesses of the place have another sum"
}

/** Does a feed say that more people came or went than did? What is recorded may wait. */
const overstated = (world: World, request: Request, { premises }: Fields): string | undefined => {
  if (request._tag !== "ReadFeed") return undefined
  const isRight = ({ at, entered, left }: Fields): boolean => {
    const stays = world.stays.filter((stay) => stay.at === premisesName(at))
    return left <= entered && entered <= stays.length && left <= stays.filter(({ ended }) => ended !== undefined).length
  }
  return (premises as ReadonlyArray<Fields>).every(isRight) ? undefined : "fewer people came or went"
}

/** Are the numbers of a muster those of its people? Those of one that has ended stay, though people are erased. */
const misnumbered = (request: Request, fields: Fields): string | undefined => {
  const { inside, safe, left, missing, people, endedAt } = fields
  if (request._tag !== "ReadMuster" || people === undefined || endedAt !== undefined) return undefined
  const count = (state: string) => people.filter((one: Fields) => one["state"] === state).length
  const isRight = inside === people.length && safe === count("safe") && left === count("left")
  return isRight && missing === count("missing") ? undefined : "the people of the muster are others"
}

/** Why an answer to one request cannot be right. `world` is as before it. */
export const violationOf = (world: World, request: Request, { name, value }: Answer): string | undefined => {
  if (name !== "Done" && name !== "Nothing") return undefined
  const rows = Array.isArray(value) ? value : []
  const fields = (value ?? {}) as Fields
  return (
    overreach(world, request) ??
    (name === "Done"
      ? (miscounted(world, request, fields) ?? overstated(world, request, fields) ?? misnumbered(request, fields))
      : undefined) ??
    misreported(world, request, rows)
  )
}

/**
 * The permissions whose administrator was named by no id, and by no address that the same administrator proved or an operator wrote
 * down for them. Invitations are left out, as no caller can use their permissions.
 */
const unjustified = ({ organizations, namings, proofs }: World): ReadonlyArray<string> =>
  organizations.flatMap(({ label, permissions }) =>
    permissions.flatMap(({ administrator }) => {
      const isJustified =
        isInvitation(administrator) ||
        namings.some(
          (one) =>
            one.organization === label &&
            (one.administrator === administrator ||
              (one.administrator === undefined &&
                proofs.some((proof) => proof.administrator === administrator && sameMail(proof.mail, one.mail!))))
        )
      return isJustified ? [] : [`nothing named ${administrator}, who has a permission in ${label}`]
    })
  )

/** What may hold of no world. */
export const violationsOf = (world: World): ReadonlyArray<string> => [
  ...unjustified(world),
  ...world.organizations.flatMap(({ label, permissions, links }) => [
    ...(permissions.some(({ level }) => level === "owner") ? [] : [`${label} has no owner`]),
    ...(new Set(links.map(({ person }) => person)).size < links.length ? [`two users are one person in ${label}`] : [])
  ]),
  ...peopleTwice(world)
]

/** A person is inside of premises once. */
const peopleTwice = ({ stays }: World): ReadonlyArray<string> => {
  const inside = stays.flatMap((stay) =>
    stay.person !== undefined && isOpen(stay) ? [`${stay.person} is inside of ${stay.at} of ${stay.organization}`] : []
  )
  return inside.filter((one, index) => inside.indexOf(one) < index).map((one) => `${one} twice`)
}
