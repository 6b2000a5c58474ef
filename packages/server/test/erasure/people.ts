/** Creates people with every kind of personal data, imported too, under names that the scan can find. */
import { AdministratorId, Mail, OperatorId, OrganizationId, OrgAuthServerId, UserId } from "@sojourn/core"
import { at, want, whole } from "../fixtures.ts"
import type { Ground } from "./ground.ts"
import { markOf } from "./marks.ts"

/** The number of people in one organization. */
const IN_ONE_TOWN = 100

/** One in so many people has a password, since hashing takes a tenth of a second. */
const WITH_PASSWORD = 20

/** An authenticated organization with a place. */
interface Town {
  readonly id: number
  readonly place: number
}

export interface Country {
  readonly towns: ReadonlyArray<Town>
  /** The anonymous organization. */
  readonly square: number
}

/** Creates organizations for `people` people; their owner and operator are not erased. */
export const foundCountry = async (ground: Ground, people: number): Promise<Country> => {
  const towns: Array<Town> = []
  for (let i = 0; i * IN_ONE_TOWN < people; i++) {
    const { id } = await ground.authenticated()
    towns.push({ id, place: (await ground.place(id)).id })
  }
  return { towns, square: (await ground.organization()).id }
}

/** All names of a person: as user, administrator, guest and operator. */
export const namesOf = (country: Country, number: number) => {
  const mark = markOf(number)
  return {
    town: country.towns[Math.floor(number / IN_ONE_TOWN)]!,
    user: UserId.make(`auth0|${mark}-user`),
    person: OrgAuthServerId.make(`uid=${mark}-person,ou=people`),
    administrator: AdministratorId.make(`${mark}-administrator`),
    mail: Mail.make(`${mark.toUpperCase()}.Administrator@Example.org`),
    guest: Mail.make(`${mark}-guest@example.org`),
    operator: OperatorId.make(`${mark}-operator`),
    password: `${mark}-password`,
    key: `${mark}-key`,
    reason: `because ${mark} says so`
  }
}

/** Creates all data of one person: stays, favorites, permissions, refused requests and decisions. */
const live = async (ground: Ground, country: Country, number: number) => {
  const { enter, get, post, sojourn, stay } = ground
  const { town, ...names } = namesOf(country, number)
  const user = sojourn.user(names.user)
  const administrator = sojourn.administrator(names.administrator, names.mail)
  const operator = sojourn.operator(names.operator)
  await ground.linkInDatabase(names.user, OrganizationId.make(BigInt(town.id)), names.person)
  for (const organizationId of [town.id, country.square]) {
    want(await post(user, "/favorite/addfavorite", { organizationId }), 201)
  }
  await stay(user, { kind: "place", id: town.place, organizationId: town.id })
  const row = [at(-7200), at(-6600), town.place, `"${names.person}"`, names.key].join()
  const body = `entranceTimestamp,exitTimestamp,placeId,orgAuthServerId,key\n${row}`
  const rows = `/operator/organization/${town.id}/import/accesses`
  want(await ground.call(ground.operator, "POST", rows, { body, type: "text/csv" }), 200)
  for (const id of [town.id, country.square]) {
    want(await enter(user, whole(id), {}, { headers: { "idempotency-key": names.key } }), 201)
  }

  const account = { administratorId: names.administrator, mail: names.mail }
  const create = "/administrator/createadministrator"
  const owner = { organizationId: town.id, ...account, permission: 3, orgAuthServerId: names.person }
  want(await post(ground.owner, create, owner), 201)
  const password = number % WITH_PASSWORD === 0 ? { password: names.password } : {}
  want(
    await post(administrator, create, { organizationId: town.id, mail: names.guest, permission: 1, ...password }),
    201
  )
  const { id } = await ground.requestDeletion(town.id, administrator, { requestReason: names.reason })
  want(await post(operator, `/operator/deletionrequest/${id}/reject`, undefined), 204)

  // Refused requests may be logged, too.
  want(await ground.link(user, town.id, names.person, names.password), 403)
  const again = { administratorId: `${names.administrator}-again`, mail: names.mail }
  want(await post(ground.operator, "/operator/administrator", again), 400)
  const list = `/access/organization/${country.square}/authenticated/${encodeURIComponent(names.person)}`
  want(await get(user, list), 403)
}

/** Creates the data of all people; sequentially in one town, since a town has one pending deletion request. */
export const liveAll = async (ground: Ground, country: Country, people: number) => {
  const numbers = Array.from({ length: people }, (_, number) => number)
  await Promise.all(
    country.towns.map(async (town) => {
      for (const number of numbers) if (namesOf(country, number).town === town) await live(ground, country, number)
    })
  )
}

/** The data subjects that together cover all records of a person. */
export const subjectsOf = (country: Country, number: number): ReadonlyArray<object> => {
  const { user, administrator, guest, operator } = namesOf(country, number)
  return [{ userId: user }, { administratorId: administrator }, { mail: guest }, { operatorId: operator }]
}
