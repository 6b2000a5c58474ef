/** The world after an answer. */
import type { PremisesRef, Request, Subject, Caller } from "./commands.ts"
import type { Answer } from "./outcomes.ts"
import {
  findOrganization,
  isOpen,
  linkedPerson,
  type ModelOrganization,
  type ModelStay,
  organizationAt,
  premisesName,
  stayOfToken,
  type World
} from "./World.ts"

type Fields = { readonly [field: string]: any }

/** A run's world with an organization in the place of what it was. */
const withOrganization = (world: World, label: string, change: Partial<ModelOrganization>): World => ({
  ...world,
  organizations: world.organizations.map((one) => (one.label === label ? { ...one, ...change } : one))
})

/** A run's world once some stays are gone: those that were open end now. */
const withGone = (world: World, isGone: (stay: ModelStay) => boolean, isAbandoned = false): World => ({
  ...world,
  stays: world.stays.map((stay) =>
    isGone(stay) && !stay.gone ? { ...stay, gone: true, ended: stay.ended ?? world.now, isAbandoned } : stay
  )
})

/** The stay that an entrance was answered with: a new one, if its token is. */
const entered = (
  world: World,
  at: PremisesRef,
  key: string | undefined,
  label: string,
  { value, tokens }: Answer
): World => {
  const { time: entrance, person } = value as Fields
  const token = tokens[0] ?? ""
  const known = world.tokens.get(token)
  const number = known ?? world.stays.length
  const organization = organizationAt(world, at)?.label ?? ""
  const stay: ModelStay = { at: premisesName(at), organization, person, entrance, recorded: world.now, gone: false }
  return {
    ...world,
    stays: known === undefined ? [...world.stays, stay] : world.stays,
    keysSince: known === undefined && key !== undefined ? [...world.keysSince, world.now] : world.keysSince,
    tokens: new Map([...world.tokens, [token, number]]),
    entrances: new Map([...world.entrances, [label, number]])
  }
}

const withoutOrganization = (world: World, label: string): World => ({
  ...withGone(world, ({ organization }) => organization === label),
  organizations: world.organizations.filter((one) => one.label !== label),
  musters: world.musters.filter(({ organization }) => organization !== label),
  webhooks: world.webhooks.filter(({ organization }) => organization !== label)
})

const withoutPerson = (world: World, organization: ModelOrganization, person: string): World => {
  const { label, links } = organization
  return withOrganization(
    withGone(world, (stay) => stay.organization === label && stay.person === person),
    label,
    { links: links.filter((link) => link.person !== person) }
  )
}

const erased = (world: World, subject: Subject): World => {
  if ("user" in subject) {
    return world.organizations.reduce((left, organization) => {
      const person = linkedPerson(organization, subject.user)
      return person === undefined ? left : withoutPerson(left, organization, person)
    }, world)
  }
  if ("person" in subject) {
    const organization = findOrganization(world, subject.organization)
    return organization === undefined ? world : withoutPerson(world, organization, subject.person)
  }
  if (!("administrator" in subject)) return world
  const isOther = ({ administrator }: { readonly administrator?: string | undefined }) =>
    administrator !== subject.administrator
  return {
    ...world,
    unproved: world.unproved.filter(isOther),
    namings: world.namings.filter(isOther),
    proofs: world.proofs.filter(isOther)
  }
}

const decided = (world: World, organization: string, nth: number, status: "approved" | "rejected"): World => {
  const request = world.requests.filter((one) => one.organization === organization)[nth]
  const requests = world.requests.map((one) => (one === request ? { organization, status } : one))
  const known = { ...world, requests }
  return status === "approved" ? withoutOrganization(known, organization) : known
}

/** What a request leads to that was answered by success. */
const succeeded = (world: World, request: Request, answer: Answer): World => {
  const value = answer.value as Fields
  switch (request._tag) {
    case "Enter":
      return entered(world, request.at, request.key, request.stay, answer)
    case "Leave": {
      const number = stayOfToken(world, request.token)
      const stays = world.stays.map((stay, one) =>
        one === number && isOpen(stay) ? { ...stay, exit: value["time"] as number, ended: world.now } : stay
      )
      return { ...world, stays }
    }
    case "CreateOrganization": {
      const { organization: label, mode, server, owner } = request
      const made = { label, mode, server, permissions: [], links: [], places: [] }
      const { administrator } = owner
      return {
        ...world,
        organizations: [...world.organizations, made],
        namings: [...world.namings, { organization: label, administrator }],
        proofs: [...world.proofs, owner]
      }
    }
    case "EditOrganization":
      return withOrganization(world, request.organization, { mode: value["mode"], server: value["server"] })
    case "ChangePolicy": {
      const { longestStay, eventGrain } = value
      return withOrganization(world, request.organization, { longestStay, eventGrain })
    }
    case "CreatePlace": {
      const places = findOrganization(world, request.organization)?.places ?? []
      return withOrganization(world, request.organization, { places: [...places, { label: request.place }] })
    }
    case "RemovePlace": {
      const { place } = request
      const owner = organizationAt(world, { place })
      if (owner === undefined) return world
      const ended = withGone(world, ({ at }) => at === premisesName({ place }))
      return withOrganization(ended, owner.label, { places: owner.places.filter(({ label }) => label !== place) })
    }
    case "Register":
      return { ...world, proofs: [...world.proofs, request] }
    case "Bind":
    case "Create": {
      const { organization, administrator, mail } = request
      const named = { ...world, namings: [...world.namings, { organization, administrator, mail }] }
      if (request._tag === "Bind") return named
      return { ...named, unproved: [...world.unproved, { administrator: value["administrator"], mail: request.mail }] }
    }
    case "Link": {
      const { by, organization } = request
      const user = "id" in by ? by.id : ""
      const others = (findOrganization(world, organization)?.links ?? []).filter((link) => link.user !== user)
      return withOrganization(world, organization, { links: [...others, { user, person: value["person"] }] })
    }
    case "Unlink": {
      const { by, organization } = request
      const links = findOrganization(world, organization)?.links ?? []
      return withOrganization(world, organization, { links: links.filter(({ user }) => "id" in by && user !== by.id) })
    }
    case "RequestDeletion": {
      const { organization } = request
      const isPending = world.requests.some((one) => one.organization === organization && one.status === "pending")
      return isPending ? world : { ...world, requests: [...world.requests, { organization, status: "pending" }] }
    }
    case "Decide":
      return decided(world, request.organization, request.nth, request.verdict)
    case "Erase":
      return erased(world, request.subject)
    case "KeepHistory": {
      const from = world.now - request.retention
      const organizations = world.organizations.map((one) => ({
        ...one,
        minutesFrom: Math.max(from, one.minutesFrom ?? 0)
      }))
      return { ...world, organizations }
    }
    case "StartMuster": {
      const { organization, muster: label } = request
      const mode = findOrganization(world, organization)?.mode ?? "anonymous"
      return { ...world, musters: [...world.musters, { label, organization, mode, isOpen: true }] }
    }
    case "EndMuster":
      return {
        ...world,
        musters: world.musters.map((one) => (one.label === request.muster ? { ...one, isOpen: false } : one))
      }
    case "CreateWebhook": {
      const { organization, webhook: label } = request
      return { ...world, webhooks: [...world.webhooks, { label, organization }] }
    }
    case "RemoveWebhook":
      return { ...world, webhooks: world.webhooks.filter(({ label }) => label !== request.webhook) }
    default:
      return world
  }
}

/** Are both one mail address? */
export const sameMail = (one: string, other: string): boolean => one.toLowerCase() === other.toLowerCase()

/** An administrator who calls proves their mail address. */
const signedIn = (world: World, by: Caller): World => {
  if (by.kind !== "administrator" || by.mail === undefined) return world
  const { id: administrator, mail } = by
  const isKnown = world.proofs.some((one) => one.administrator === administrator && sameMail(one.mail, mail))
  return {
    ...world,
    unproved: world.unproved.filter((one) => !sameMail(one.mail, mail)),
    proofs: isKnown ? world.proofs : [...world.proofs, { administrator, mail }]
  }
}

/** The world after an answer. */
export const nextWorld = (world: World, request: Request, answer: Answer): World => {
  const known = signedIn(world, request.by)
  return answer.name === "Done" ? succeeded(known, request, answer) : known
}

/** The world after a sweep. */
export const worldAfterSweep = (world: World): World => {
  const longest = new Map(world.organizations.map(({ label, longestStay }) => [label, longestStay]))
  return withGone(
    world,
    (stay) => isOpen(stay) && world.now - stay.recorded > (longest.get(stay.organization) ?? Infinity) * 1000,
    true
  )
}
