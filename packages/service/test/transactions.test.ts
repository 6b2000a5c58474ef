/** Use cases in transactions of the application: what the core shares among callers and limits, and cells. */
import * as PgClient from "@effect/sql-pg/PgClient"
import {
  Administrator,
  AdministratorId,
  CellNumber,
  cellOfId,
  Mail,
  Movements,
  Musters,
  Operator,
  OperatorId,
  OrganizationPremises,
  Organizations,
  Places,
  Presence,
  StoreError,
  User,
  UserId
} from "@sojourn/core"
import { Deferred, Effect, Fiber, Option, Redacted } from "effect"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { layer } from "../src/index.ts"
import { startPostgres } from "./database.ts"

const owner = { administratorId: AdministratorId.make("ada"), mail: Mail.make("ada@example.org") }
const ada = Administrator(owner.administratorId, owner.mail)
const [west, east] = [11.8, 11.85].map(
  (x) => `{"type":"Polygon","coordinates":[[[${x},45.3],[${x + 0.04},45.3],[${x + 0.04},45.4],[${x},45.3]]]}`
) as [string, string]
const trackingArea = '{"type":"Polygon","coordinates":[[[11.7,45.2],[12,45.2],[12,45.5],[11.7,45.5],[11.7,45.2]]]}'
const tokenKeys = [{ id: 1, secret: Redacted.make(new Uint8Array(32)) }]

let postgres: Awaited<ReturnType<typeof startPostgres>>
beforeAll(async () => void (postgres = await startPostgres()))
afterAll(() => postgres.stop())

/** Runs an effect on the client of an application, with the service in its database, and of a number of cells there. */
const inApplication = async (effect: Effect.Effect<void, unknown, any>, cells = 0) => {
  const database = await postgres.application()
  await Effect.gen(function* () {
    const client = yield* PgClient.PgClient
    const others = Array.from({ length: cells }, (_, n) => ({
      number: CellNumber.make(n + 1),
      weight: 1,
      address: { url: Redacted.make(postgres.urlOf(database)) },
      schema: `cell_${n + 1}`
    }))
    const service = layer({ database: { client }, tokenKeys, ...(cells > 0 && { cells: others }) })
    yield* Effect.provide(effect, service)
  }).pipe(Effect.provide(PgClient.layer({ ...postgres.connection, database })), Effect.runPromise as never)
}

const museum = Organizations.use((_) =>
  _.create(
    Operator(OperatorId.make("test")),
    {
      name: "Museum",
      trackingArea,
      trackingMode: "authenticated",
      authenticationServerURL: "ldaps://d.example.org/dc=d"
    },
    owner
  )
)

const transaction = <A, E, R>(body: Effect.Effect<A, E, R>) => PgClient.PgClient.use((sql) => sql.withTransaction(body))

describe("a use case in a transaction of the application", () => {
  it("does not wait for changes of the areas that wait for the transaction", () =>
    inApplication(
      Effect.gen(function* () {
        const { id: organizationId } = yield* museum
        const isHeld = yield* Deferred.make<void>()
        const create = (area: string) => Places.use((_) => _.create(ada, { organizationId, trackingArea: area }))
        const other = yield* Effect.forkChild(Effect.andThen(Deferred.await(isHeld), Effect.result(create(west))))
        yield* transaction(
          Effect.gen(function* () {
            yield* create(west)
            yield* Deferred.succeed(isHeld, undefined)
            yield* Effect.sleep("200 millis")
            yield* Effect.timeout(create(east), "2 seconds")
          })
        )
        expect(yield* Fiber.join(other)).toMatchObject({ failure: { _tag: "PlacesOverlap" } })
      })
    ))

  it("shares no reading with others: it is refused alone", () =>
    inApplication(
      Effect.gen(function* () {
        const premises = OrganizationPremises((yield* museum).id)
        const inside = Effect.result(Musters.use((_) => _.inside(ada, premises)))
        const [own, ...others] = yield* Effect.all([transaction(inside), inside, inside], { concurrency: "unbounded" })
        expect(own).toMatchObject({ failure: { _tag: "StoreError" } })
        for (const other of others) expect(other).toMatchObject({ success: {} })
      })
    ))

  it("is refused over cells, by each of them", () =>
    inApplication(
      Effect.gen(function* () {
        const organizations = yield* Effect.forEach(["One", "Other"], (name) =>
          Organizations.use((_) =>
            _.create(Operator(OperatorId.make("test")), { name, trackingArea, trackingMode: "anonymous" }, owner)
          )
        )
        expect(new Set(organizations.map(({ id }) => Option.getOrThrow(cellOfId(id)))).size).toBe(2)
        for (const { id } of organizations) {
          const premises = OrganizationPremises(id)
          const enter = Movements.use((_) => _.track(User(UserId.make("tim")), { _tag: "Entrance", premises }))
          const error = yield* Effect.flip(transaction(enter))
          expect(error).toBeInstanceOf(StoreError)
          expect((error as StoreError).cause).toBe(
            "not possible in a transaction of the application: the organizations are in cells"
          )
          expect(yield* Presence.use((_) => _.counter(ada, premises))).toMatchObject({ counter: 0 })
        }
      }),
      1
    ))
})
