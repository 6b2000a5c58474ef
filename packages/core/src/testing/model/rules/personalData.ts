import type { Erase } from "../commands.ts"
import { done, type Outcome } from "../outcomes.ts"
import { findOrganization, linkedPerson, mark, type ModelOrganization, replace, type World } from "../World.ts"

/** How much of what an erasure is answered with the model knows. */
interface Taken {
  readonly accountLinks: number
  readonly favorites: number
  readonly accesses: number
  readonly openStays: number
}

/** Everything of a person ends: stays and what is kept of their entrances, the link, and where permissions name the person. */
const erasePerson = (world: World, organization: ModelOrganization, person: string): Omit<Taken, "favorites"> => {
  const { label, links, permissions } = organization
  const isOwn = (number: number): boolean => {
    const stay = world.stays[number]
    return stay?.organization === label && stay.person === person
  }
  const taken = world.stays.filter((stay, number) => isOwn(number) && !stay.gone)
  const openStays = taken.filter(({ exit }) => exit === undefined).length
  if (openStays > 0) mark(world, "erasure of somebody inside")
  if (openStays < taken.length) mark(world, "erasure of accesses")
  world.stays = world.stays.map((stay, number) => (isOwn(number) ? { ...stay, gone: true } : stay))
  world.keys = world.keys.filter(({ stay }) => !isOwn(stay))
  const kept = links.filter((one) => one.person !== person)
  replace(world, {
    ...organization,
    links: kept,
    permissions: permissions.map((one) => (one.person === person ? { ...one, person: undefined } : one))
  })
  return { accountLinks: links.length - kept.length, accesses: taken.length - openStays, openStays }
}

const eraseUser = (world: World, user: string): Taken => {
  const favorites = world.favorites.filter((one) => one.user === user).length
  world.favorites = world.favorites.filter((one) => one.user !== user)
  const all = world.organizations.flatMap((organization) => {
    const person = linkedPerson(organization, user)
    return person === undefined ? [] : [erasePerson(world, organization, person)]
  })
  const sum = (field: "accountLinks" | "accesses" | "openStays") => all.reduce((total, one) => total + one[field], 0)
  return { accountLinks: sum("accountLinks"), favorites, accesses: sum("accesses"), openStays: sum("openStays") }
}

/** What is stored about somebody is removed in one step; to ask again removes nothing. */
export const erase = (world: World, { subject }: Erase): Outcome => {
  if ("user" in subject) return done(eraseUser(world, subject.user))
  const organization = findOrganization(world, subject.organization)
  const taken =
    organization === undefined
      ? { accountLinks: 0, accesses: 0, openStays: 0 }
      : erasePerson(world, organization, subject.person)
  return done({ ...taken, favorites: 0 })
}
