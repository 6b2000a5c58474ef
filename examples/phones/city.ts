/** The virtual city: an organization with some places, and the ways that people take through them in a day. */
import type { makeClient } from "@sojourn/adapter-http/client"
import { Credentials } from "@sojourn/adapter-http/client"
import { OwnIssuer } from "@sojourn/adapter-jwt"
import { Administrator, AdministratorId, type Caller, Mail, Operator, OperatorId, Timestamp } from "@sojourn/core"
import { Clock, Effect, Random } from "effect"

export type Client = Effect.Success<ReturnType<typeof makeClient>>

/** Makes a call as a user. */
export const inNameOf = (key: OwnIssuer.SigningKey, caller: Caller) =>
  Effect.map(OwnIssuer.mint(key, caller, { expiresIn: 86_400 }), (token) => Effect.provideService(Credentials, token))

const NAMES = ["Station", "Market", "Library", "Museum", "Swimming pool", "Theatre", "Park", "Town hall"]
const MINUTE = 60_000

const LATITUDE = 45

/** How wide a place is, and the way between two, in degrees: some 150 m. */
const WIDTH = 0.002

const area = (west: number, east: number, reach: number) => {
  const [south, north] = [LATITUDE - reach, LATITUDE + reach]
  return `{"type":"Polygon","coordinates":[[[${west},${south}],[${east},${south}],[${east},${north}],[${west},${north}],[${west},${south}]]]}`
}

/** Makes a city on the server, of its own for each run. The mayor reads its counters. */
export const foundCity = Effect.fnUntraced(function* (client: Client, key: OwnIssuer.SigningKey) {
  const name = `City ${crypto.randomUUID()}`
  const owner = {
    administratorId: AdministratorId.make(`mayor of ${name}`),
    mail: Mail.make(`${name.slice(5)}@city.example`)
  }
  const asMayor = yield* inNameOf(key, Administrator(owner.administratorId, owner.mail))
  const asOperator = yield* inNameOf(key, Operator(OperatorId.make("phone-simulator")))
  const payload = { name, trackingMode: "anonymous", trackingArea: area(11, 12, 0.05), owner } as const
  const { id: organizationId } = yield* asOperator(client.operator.createOrganization({ payload }))
  const places = yield* Effect.forEach(NAMES, (name, number) => {
    const west = 11.4 + 2 * WIDTH * number
    const trackingArea = area(west, west + WIDTH, WIDTH / 2)
    return Effect.map(asMayor(client.place.create({ payload: { organizationId, name, trackingArea } })), ({ id }) => ({
      id,
      name,
      latitude: LATITUDE,
      longitude: west + WIDTH / 2,
      outside: west + 1.5 * WIDTH
    }))
  })
  return { organizationId: Number(organizationId), places, asMayor }
})

export type City = Effect.Success<ReturnType<typeof foundCity>>

/** A visit to a place: who does not leave is still there in the end. */
export interface Visit {
  readonly place: City["places"][number]
  readonly entrance: Timestamp
  readonly exit: Timestamp | undefined
}

/** A person's day, which was yesterday: phones may report late. One in five is still inside a place. */
export const someDay = Effect.fnUntraced(function* ({ places }: City) {
  const visits: Array<Visit> = []
  let now = (yield* Clock.currentTimeMillis) - 24 * 60 * MINUTE + (yield* Random.nextIntBetween(0, 240)) * MINUTE
  const stops = yield* Random.nextIntBetween(1, 4)
  for (let stop = 1; stop <= stops; stop++) {
    const place = yield* Random.choice(places as [City["places"][number], ...City["places"]])
    const entrance = Timestamp(now)
    now += (yield* Random.nextIntBetween(5, 120)) * MINUTE
    const isLast = stop === stops && (yield* Random.next) < 0.2
    visits.push({ place, entrance, exit: isLast ? undefined : Timestamp(now) })
    now += (yield* Random.nextIntBetween(10, 30)) * MINUTE
  }
  return visits
})
