/** The reference model of erasures of personal data. */
import { ERASED } from "@sojourn/core"
import type { Erase } from "../commands.ts"
import { done, type Outcome, refused } from "../outcomes.ts"
import {
  findOrganization,
  linkedPerson,
  mark,
  type ModelOrganization,
  replace,
  withGone,
  type World
} from "../World.ts"
import { eraseFromMusters } from "./musters.ts"
import { accountOf, holderOf, isLastOwner } from "./permissions.ts"
import { disableWebhooksOf } from "./webhooks.ts"

/** How much of what an erasure is answered with the model knows. */
interface Taken {
  readonly accountLinks: number
  readonly favorites: number
  readonly accesses: number
  readonly openStays: number
  readonly accounts: number
  readonly permissions: number
}

const NOTHING: Taken = { accountLinks: 0, favorites: 0, accesses: 0, openStays: 0, accounts: 0, permissions: 0 }

/** Everything of a person ends: stays and what is kept of their entrances, the link, and where permissions name the person. */
const erasePerson = (world: World, organization: ModelOrganization, person: string): Taken => {
  const { label, links, permissions } = organization
  const isOwn = (number: number): boolean => {
    const stay = world.stays[number]
    return stay?.organization === label && stay.person === person
  }
  const taken = world.stays.filter((stay, number) => isOwn(number) && !stay.gone)
  const openStays = taken.filter(({ exit }) => exit === undefined).length
  if (openStays > 0) mark(world, "erasure of somebody inside")
  if (openStays < taken.length) mark(world, "erasure of accesses")
  world.stays = withGone(world, (_, number) => isOwn(number))
  eraseFromMusters(world, label, person)
  world.keys = world.keys.filter(({ stay }) => !isOwn(stay))
  const kept = links.filter((one) => one.person !== person)
  replace(world, {
    ...organization,
    links: kept,
    permissions: permissions.map((one) => (one.person === person ? { ...one, person: undefined } : one))
  })
  return { ...NOTHING, accountLinks: links.length - kept.length, accesses: taken.length - openStays, openStays }
}

/** A user's favorites end, and everything of each person whom they are linked to. */
const eraseUser = (world: World, user: string): Taken => {
  const favorites = world.favorites.filter((one) => one.user === user).length
  world.favorites = world.favorites.filter((one) => one.user !== user)
  const all = world.organizations.flatMap((organization) => {
    const person = linkedPerson(organization, user)
    return person === undefined ? [] : [erasePerson(world, organization, person)]
  })
  const sum = (field: keyof Taken) => all.reduce((total, one) => total + one[field], 0)
  return {
    ...NOTHING,
    accountLinks: sum("accountLinks"),
    favorites,
    accesses: sum("accesses"),
    openStays: sum("openStays")
  }
}

/** An administrator goes who leaves every organization an owner; what others were granted by them says so no longer. */
const eraseAdministrator = (world: World, name: string): Outcome => {
  if (world.organizations.some((organization) => isLastOwner(organization, name))) {
    mark(world, "erasure of the last owner refused")
    return refused("OnlyOwner")
  }
  const isBound = ({ permissions }: ModelOrganization) => permissions.some((one) => one.administrator === name)
  const permissions = world.organizations.filter(isBound).length
  const accounts = accountOf(world, name) === undefined ? 0 : 1
  if (permissions > 0) mark(world, "erasure of a bound administrator")
  for (const { label, permissions } of world.organizations) {
    const isOwner = permissions.some((one) => one.administrator === name && one.level === "owner")
    if (isOwner) disableWebhooksOf(world, label, name)
  }
  world.webhooks = world.webhooks.map((webhook) =>
    webhook.createdBy === name ? { ...webhook, createdBy: ERASED } : webhook
  )
  world.accounts = world.accounts.filter((account) => account.administrator !== name)
  world.namings = world.namings.filter((naming) => naming.administrator !== name)
  world.proofs = world.proofs.filter((proof) => proof.administrator !== name)
  world.organizations = world.organizations.map((organization) => ({
    ...organization,
    permissions: organization.permissions
      .filter((one) => one.administrator !== name)
      .map((one) => (one.nominatedBy === name ? { ...one, nominatedBy: ERASED } : one))
  }))
  world.requests = world.requests.map((request) =>
    request.administrator === name ? { ...request, administrator: ERASED, reason: undefined } : request
  )
  world.musters = world.musters.map((muster) => (muster.startedBy === name ? { ...muster, startedBy: ERASED } : muster))
  return done({ ...NOTHING, accounts, permissions })
}

/** What is stored about a subject is removed in one step; to ask again removes nothing. */
export const erase = (world: World, { subject }: Erase): Outcome => {
  if ("user" in subject) return done(eraseUser(world, subject.user))
  if ("person" in subject) {
    const organization = findOrganization(world, subject.organization)
    return done(organization === undefined ? NOTHING : erasePerson(world, organization, subject.person))
  }
  if ("operator" in subject) {
    world.requests = world.requests.map((request) =>
      request.decidedBy === subject.operator ? { ...request, decidedBy: ERASED } : request
    )
    return done(NOTHING)
  }
  const name = "mail" in subject ? holderOf(world, subject.mail)?.administrator : subject.administrator
  return name === undefined ? done(NOTHING) : eraseAdministrator(world, name)
}
