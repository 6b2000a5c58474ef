/** Creates people with every kind of personal data, under names that the scan can find. */
import {
  Administrator,
  AdministratorId,
  Mail,
  Operator,
  OperatorId,
  OrganizationId,
  OrgAuthServerId,
  User,
  UserId
} from "@sojourn/core"
import { DEMO_SERVER } from "../../src/demo/people.ts"
import type { ClientRequest } from "../faults/client.ts"
import { rectangle } from "../../src/demo/areas.ts"
import type { Ground } from "./ground.ts"
import { markOf } from "./marks.ts"

/** The number of people in one organization. */
const IN_ONE_TOWN = 100

/** One in so many people has a password, since hashing takes a tenth of a second. */
const WITH_PASSWORD = 20

const KEEPER = Administrator(AdministratorId.make("keeper"), Mail.make("keeper@example.test"))

/** An authenticated organization with a place. */
interface Town {
  readonly id: number
  readonly place: number
}

export interface Country {
  readonly keeper: string
  readonly operator: string
  readonly towns: ReadonlyArray<Town>
  /** The anonymous organization. */
  readonly square: number
}

const post = (token: string, path: string, json: unknown, headers: ClientRequest["headers"] = {}): ClientRequest => ({
  method: "POST",
  path,
  token,
  json,
  headers
})

/** Creates organizations for `people` people, and their administrators, who are not erased. */
export const foundCountry = async (ground: Ground, people: number): Promise<Country> => {
  const [keeper, operator] = await Promise.all(
    [KEEPER, Operator(OperatorId.make("keeping-operator"))].map((caller) => ground.bearer(caller))
  )
  const owner = { administratorId: KEEPER.administratorId, mail: KEEPER.mail }
  const found = async (name: string, more: object): Promise<number> => {
    const draft = { name, trackingArea: rectangle(11, 45, 12, 46), owner, ...more }
    return (await ground.read(post(operator!, "/operator/organization", draft))).id
  }
  const towns: Array<Town> = []
  for (let i = 0; i * IN_ONE_TOWN < people; i++) {
    const mode = { trackingMode: "authenticated", authenticationServerURL: DEMO_SERVER }
    const id = await found(`Town ${i}`, mode)
    const area = { organizationId: id, trackingArea: rectangle(11.1, 45.1, 11.2, 45.2) }
    towns.push({ id, place: (await ground.read(post(keeper!, "/place", area))).id })
  }
  return { keeper: keeper!, operator: operator!, towns, square: await found("Square", { trackingMode: "anonymous" }) }
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
  const { town, ...names } = namesOf(country, number)
  const [user, administrator, operator] = await Promise.all(
    [User(names.user), Administrator(names.administrator, names.mail), Operator(names.operator)].map((caller) =>
      ground.bearer(caller)
    )
  )
  await ground.link(names.user, OrganizationId.make(BigInt(town.id)), names.person)
  for (const organizationId of [town.id, country.square]) {
    await ground.ask(post(user!, "/favorite/addfavorite", { organizationId }), 201)
  }
  const key = { "idempotency-key": names.key }
  const now = Date.now()
  const at = (seconds: number) => new Date(now - seconds * 1000).toISOString()
  const inPlace = { placeId: town.place, movementType: 1, timestamp: at(3600) }
  const { exitToken } = await ground.read(post(user!, "/movement/track/place", inPlace))
  const exit = { placeId: town.place, movementType: -1, exitToken, timestamp: at(1800) }
  await ground.ask(post(user!, "/movement/track/place", exit), 202)
  for (const organizationId of [town.id, country.square]) {
    await ground.ask(post(user!, "/movement/track/organization", { organizationId, movementType: 1 }, key), 201)
  }

  const account = { administratorId: names.administrator, mail: names.mail }
  const owner = { organizationId: town.id, ...account, permission: 3, orgAuthServerId: names.person }
  await ground.ask(post(country.keeper, "/administrator/createadministrator", owner), 201)
  const password = number % WITH_PASSWORD === 0 ? { password: names.password } : {}
  const guest = { organizationId: town.id, mail: names.guest, permission: 1, ...password }
  await ground.ask(post(administrator!, "/administrator/createadministrator", guest), 201)
  const wish = { organizationId: town.id, requestReason: names.reason }
  await ground.ask(post(administrator!, "/organization/requestdeletion", wish), 204)
  const pending = await ground.read({
    method: "GET",
    path: "/operator/deletionrequest?status=pending",
    token: operator!
  })
  const { id } = pending.find((request: any) => request.organizationId === town.id)
  await ground.ask({ method: "POST", path: `/operator/deletionrequest/${id}/reject`, token: operator! }, 204)

  // Refused requests may be logged, too.
  const credentials = { organizationId: town.id, username: names.person, password: names.password }
  await ground.ask(post(user!, "/authenticationserver/link", credentials), 403)
  const again = { administratorId: `${names.administrator}-again`, mail: names.mail }
  await ground.ask(post(country.operator, "/operator/administrator", again), 400)
  const list = `/access/organization/${country.square}/authenticated/${encodeURIComponent(names.person)}`
  await ground.ask({ method: "GET", path: list, token: user! }, 403)
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
