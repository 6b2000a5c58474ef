/** How often a change of areas waits for PostgreSQL, and how often for the check of its areas. */
import { assert, layer as shared } from "@effect/vitest"
import {
  Administrator,
  AdministratorId,
  type AreaChecking,
  AreaComparer,
  Mail,
  Operator,
  OperatorId,
  Organizations,
  Places
} from "@sojourn/core"
import { rectangleArea, wholeGrid } from "@sojourn/testing"
import { Effect, Layer } from "effect"
import * as SqlClient from "effect/sql/SqlClient"
import * as net from "node:net"
import { type DatabaseAddress, layer } from "../src/index.ts"
import { emptyDatabase, layerPostgres } from "./fixtures.ts"

/** The messages after which a client waits for an answer: Query and Sync. The first message of a connection has no type. */
const countingRoundTrips = (count: () => void) => {
  let rest = Buffer.alloc(0)
  let isStarted = false
  const lengthOfNext = () => {
    const start = isStarted ? 1 : 0
    return rest.length < start + 4 ? Number.POSITIVE_INFINITY : start + rest.readInt32BE(start)
  }
  return (chunk: Buffer) => {
    rest = Buffer.concat([rest, chunk])
    for (let length = lengthOfNext(); length <= rest.length; length = lengthOfNext()) {
      if (isStarted && "QS".includes(String.fromCharCode(rest[0]!))) count()
      isStarted = true
      rest = rest.subarray(length)
    }
  }
}

/** An address that leads to a database, and how many round trips there were. */
const counted = Effect.fnUntraced(function* (database: Extract<DatabaseAddress, { readonly username: string }>) {
  let roundTrips = 0
  const to = database.path === undefined ? { host: database.host!, port: database.port! } : { path: database.path }
  const proxy = net.createServer((client) => {
    const server = net.connect(to)
    client.on(
      "data",
      countingRoundTrips(() => roundTrips++)
    )
    client.pipe(server).pipe(client)
    for (const socket of [client, server]) socket.on("error", () => {})
  })
  yield* Effect.acquireRelease(
    Effect.callback<void>((resume) => void proxy.listen(0, "127.0.0.1", () => resume(Effect.void))),
    () => Effect.sync(() => void proxy.close())
  )
  const { port } = proxy.address() as net.AddressInfo
  const address: DatabaseAddress = { ...database, path: undefined, host: "127.0.0.1", port }
  return { address, roundTrips: () => roundTrips }
})

const OWNER = Administrator(AdministratorId.make("owner"), Mail.make("owner@example.org"))
const cell = (left: number, bottom = 0) => rectangleArea({ left, bottom, right: left + 1, top: bottom + 1 }).text

shared(layerPostgres, { excludeTestServices: true })("a change of areas", (it) => {
  it.effect("takes 6 round trips to PostgreSQL, and one check of areas", () =>
    Effect.gen(function* () {
      const { address, roundTrips } = yield* counted(yield* emptyDatabase)
      let checks = 0
      const { firstFault } = AreaComparer.defaultValue()
      const counting: AreaChecking = {
        firstFault: (check, limit) => {
          checks++
          return firstFault(check, limit)
        }
      }
      const services = Layer.mergeAll(Organizations.layer, Places.layer).pipe(Layer.provideMerge(layer(address)))
      yield* Effect.gen(function* () {
        const organizations = yield* Organizations
        const places = yield* Places
        const draft = {
          name: "Town",
          trackingMode: "anonymous",
          trackingArea: rectangleArea(wholeGrid(8)).text
        } as const
        const operator = Operator(OperatorId.make("operator"))
        const owner = { administratorId: OWNER.administratorId, mail: OWNER.mail! }
        const { id: organizationId } = yield* organizations.create(operator, draft, owner)
        const building = yield* places.create(OWNER, {
          organizationId,
          trackingArea: rectangleArea(wholeGrid(4)).text,
          level: 1
        })
        const room = yield* places.create(OWNER, { organizationId, trackingArea: cell(0), parentId: building.id })
        const next = yield* places.create(OWNER, { organizationId, trackingArea: cell(1), parentId: building.id })
        // A server remembers the organization of a place from its first statement on it.
        for (const { id } of [room, next]) yield* places.edit(OWNER, id, { name: "Hall" })
        const costOf = <A, E>(change: Effect.Effect<A, E>) =>
          Effect.suspend(() => {
            const before = roundTrips()
            checks = 0
            return Effect.map(change, () => [roundTrips() - before, checks])
          })
        const create = places.create(OWNER, { organizationId, trackingArea: cell(2), parentId: building.id })
        assert.deepStrictEqual(yield* costOf(create), [6, 1])
        assert.deepStrictEqual(yield* costOf(places.edit(OWNER, next.id, { trackingArea: cell(1, 1) })), [6, 1])
        assert.deepStrictEqual(yield* costOf(places.edit(OWNER, room.id, { parentId: null, level: 2 })), [6, 0])
        assert.deepStrictEqual(yield* costOf(places.edit(OWNER, room.id, { name: "Cellar" })), [6, 0])
        const grown = rectangleArea(wholeGrid(9)).text
        const redraw = organizations.edit(OWNER, organizationId, { trackingArea: grown })
        assert.deepStrictEqual(yield* costOf(redraw), [6, 1])
        // Counts that are published at intervals: changes that are due come before the event.
        yield* (yield* SqlClient.SqlClient)`insert into stay_policy (organization_id, event_grain) values (${organizationId}, 60)`
        assert.deepStrictEqual(yield* costOf(places.edit(OWNER, next.id, { trackingArea: cell(1) })), [8, 1])
      }).pipe(Effect.provide(services), Effect.provideService(AreaComparer, counting))
    })
  )
})
