/** The virtual city: an organization with some places, and the ways that people take through them in a day. */
import type { makeClient } from "@sojourn/adapter-http/client"
import { Credentials } from "@sojourn/adapter-http/client"
import { OwnIssuer } from "@sojourn/adapter-jwt"
import { Administrator, AdministratorId, type Caller, Mail, Operator, OperatorId, Timestamp } from "@sojourn/core"
import { Clock, Effect, Random } from "effect"

export type Client = Effect.Success<ReturnType<typeof makeClient>>

/** Lets a call be made in somebody's name. */
export const inNameOf = (key: OwnIssuer.SigningKey, caller: Caller) =>
  Effect.map(OwnIssuer.mint(key, caller, { expiresIn: 86_400 }), (token) => Effect.provideService(Credentials, token))

const NAMES = ["Station", "Market", "Library", "Museum", "Swimming pool", "Theatre", "Park", "Town hall"]
const MINUTE = 60_000

const area = (west: number, east: number) =>
  `{"type":"Polygon","coordinates":[[[${west},45],[${east},45],[${east},45.1],[${west},45.1],[${west},45]]]}`

/** Makes a city on the server, of its own for each run. The mayor reads its counters. */
export const foundCity = Effect.fnUntraced(function* (client: Client, key: OwnIssuer.SigningKey) {
  const name = `City ${crypto.randomUUID()}`
  const owner = {
    administratorId: AdministratorId.make(`mayor of ${name}`),
    mail: Mail.make(`${name.slice(5)}@city.example`)
  }
  const asMayor = yield* inNameOf(key, Administrator(owner.administratorId, owner.mail))
  const asOperator = yield* inNameOf(key, Operator(OperatorId.make("phone-simulator")))
  const payload = { name, trackingMode: "anonymous", trackingArea: area(11, 12), owner } as const
  const { id: organizationId } = yield* asOperator(client.operator.createOrganization({ payload }))
  const places = yield* Effect.forEach(NAMES, (name, number) =>
    asMayor(
      client.place.create({
        payload: { organizationId, name, trackingArea: area(11 + number / 10, 11.05 + number / 10) }
      })
    )
  )
  return { places, asMayor }
})

export type City = Effect.Success<ReturnType<typeof foundCity>>

/** A visit to a place: who does not leave is still there in the end. */
export interface Visit {
  readonly place: City["places"][number]
  readonly entrance: Timestamp
  readonly exit: Timestamp | undefined
}

/** Somebody's day, which was yesterday: phones may tell of it later. One in five is still inside somewhere. */
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
    now += (yield* Random.nextIntBetween(5, 30)) * MINUTE
  }
  return visits
})
