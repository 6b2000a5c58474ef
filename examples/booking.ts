/**
 * A booking of the application and an entrance in one transaction of the application's own client: both are there, or neither.
 *
 * Run it: `node --conditions=source examples/booking.ts`
 */
import * as PgClient from "@effect/sql-pg/PgClient"
import * as Sojourn from "@sojourn/core"
import { EmbeddedPostgres } from "@sojourn/embedded-postgres"
import { layer } from "@sojourn/service"
import { Effect, Layer, Redacted } from "effect"
import assert from "node:assert/strict"
import { randomBytes } from "node:crypto"

/** The application's own: its client, its table, its statement. */
const layerApplication = Layer.unwrap(
  EmbeddedPostgres.useSync(({ url }) => PgClient.layer({ url: url() })) // your database has an address
).pipe(Layer.provide(EmbeddedPostgres.layerTemporary({ transport: "tcp" })))
const book = (seat: number, visitor: string) =>
  PgClient.PgClient.use((sql) => sql`insert into booking (seat, visitor) values (${seat}, ${visitor})`)

/** Sojourn in the same database, in a schema of its own. It gets the client, so that its use cases notice the client's transactions. */
const layerSojourn = Layer.unwrap(
  PgClient.PgClient.useSync(
    (client) => layer({ database: { client }, tokenKeys: [{ id: 1, secret: Redacted.make(randomBytes(32)) }] }) // keep the key
  )
)

const ada = { administratorId: Sojourn.AdministratorId.make("ada"), mail: Sojourn.Mail.make("ada@example.org") }
const trackingArea = '{"type":"Polygon","coordinates":[[[11.8,45.3],[11.9,45.3],[11.9,45.4],[11.8,45.3]]]}'
const draft = { name: "Theatre", trackingArea, trackingMode: "anonymous" } as const
const backend = Sojourn.Operator(Sojourn.OperatorId.make("this backend"))

const evening = Effect.gen(function* () {
  const sql = yield* PgClient.PgClient
  yield* sql`create table booking (seat int primary key, visitor text not null)`
  const theatre = yield* Sojourn.Organizations.use((_) => _.create(backend, draft, ada))
  const premises = Sojourn.OrganizationPremises(theatre.id)

  /** Takes a seat and goes in. Whatever fails, an own statement or a use case, takes the other back. */
  const takeSeat = (visitor: string, seat: number) =>
    sql.withTransaction(
      Effect.gen(function* () {
        const movement = { _tag: "Entrance", premises } as const
        const { exitToken } = yield* Sojourn.Movements.use((_) =>
          _.track(Sojourn.User(Sojourn.UserId.make(visitor)), movement)
        )
        yield* book(seat, visitor)
        return exitToken
      })
    )
  const inside = Sojourn.Presence.use((_) => _.counter(Sojourn.Administrator(ada.administratorId), premises))

  yield* takeSeat("tim", 12)
  const refused = yield* Effect.flip(takeSeat("eve", 12)) // the seat is taken: eve did not come in either
  const { counter } = yield* inside
  console.log("eve:", refused._tag, "- inside:", counter)
  assert.deepEqual([refused._tag, counter], ["SqlError", 1])
})

await Effect.runPromise(evening.pipe(Effect.provide(layerSojourn), Effect.provide(layerApplication)))
