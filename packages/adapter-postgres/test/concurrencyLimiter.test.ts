/** Writes of one organization, or of many that wait for locks, leave connections to the others and to readings. */
import { assert, describe, it, layer as shared } from "@effect/vitest"
import {
  AdministratorId,
  CapacityStore,
  DeviceId,
  DeviceStore,
  FloorPlanStore,
  OrganizationId,
  OrganizationPremises,
  OrganizationStore,
  StayPolicyStore,
  type Stores,
  Timestamp
} from "@sojourn/core"
import { Deferred, Effect, Exit, Fiber, Option, Result } from "effect"
import * as SqlClient from "effect/sql/SqlClient"
import { makeConcurrencyLimiter } from "../src/queueing/ConcurrencyLimiter.ts"
import { makeDatabase } from "../src/database/Database.ts"
import { makeStoring } from "../src/database/Storing.ts"
import { createFeed } from "../src/feed/publishEvents.ts"
import { insertOrganization, insertOwner, layerPostgres, untilWaiting, withStores } from "./fixtures.ts"

const NOW = Timestamp(1_772_352_000_000)

/** Writes of an organization, through several stores. */
const writesOf = (organization: bigint) => {
  const organizationId = OrganizationId.make(organization)
  const administratorId = AdministratorId.make("ada")
  const premises = OrganizationPremises(organizationId)
  const writes: ReadonlyArray<Effect.Effect<unknown, unknown, Stores>> = [
    OrganizationStore.use((store) =>
      store.update({
        organizationId,
        administratorId: Option.none(),
        withPlaces: false,
        decide: ({ organization: found }) => Result.succeed({ ...found, name: `${found.name}!` })
      })
    ),
    StayPolicyStore.use((store) => store.change({ organizationId, decide: (policy) => policy })),
    CapacityStore.use((store) => store.set({ premises, administratorId, capacity: undefined, now: NOW })),
    DeviceStore.use((store) =>
      store.rotate({
        deviceId: DeviceId.make(organization),
        administratorId,
        tokenHash: `new hash of ${organization}`,
        now: NOW
      })
    ),
    FloorPlanStore.use((store) => Effect.ignore(store.remove({ organizationId, administratorId, level: 0 })))
  ]
  return writes
}

/** Organizations with the numbers, each with an owner, a device and a feed. */
const given = (ids: ReadonlyArray<number>) =>
  SqlClient.SqlClient.use((sql) =>
    Effect.forEach(ids, (id) =>
      Effect.gen(function* () {
        yield* insertOrganization(id)
        yield* insertOwner(id, "ada")
        yield* createFeed(makeDatabase(sql), OrganizationId.make(BigInt(id)), NOW)
        yield* sql`insert into device (id, organization_id, name, creation_date, token_hash)
          values (${id}, ${id}, 'door', now(), ${`hash of ${id}`})`
      })
    )
  )

shared(layerPostgres, { excludeTestServices: true })("writes that wait for the row of their organization", (it) => {
  /** Runs an effect while the rows of the organizations are locked, and some 100 writes wait for them. */
  const whileBlocked = Effect.fnUntraced(function* <A, E, R>(
    ids: ReadonlyArray<number>,
    inside: Effect.Effect<A, E, R>
  ) {
    const sql = yield* SqlClient.SqlClient
    const isHeld = yield* Deferred.make<void>()
    const isThrough = yield* Deferred.make<void>()
    const holder = yield* sql
      .withTransaction(
        sql`select from organization where id in ${sql.in(ids)} for update`.pipe(
          Effect.andThen(Deferred.succeed(isHeld, undefined)),
          Effect.andThen(Deferred.await(isThrough))
        )
      )
      .pipe(Effect.forkChild)
    yield* Deferred.await(isHeld)
    const blocked = yield* Effect.forEach(ids, (id) =>
      Effect.forEach(Array.from({ length: Math.ceil(20 / ids.length) }, () => writesOf(BigInt(id))).flat(), (write) =>
        Effect.forkChild(Effect.exit(write))
      )
    ).pipe(Effect.map((fibers) => fibers.flat()))
    yield* untilWaiting(Math.min(ids.length, 4))
    yield* inside
    const early = blocked.filter((fiber) => fiber.pollUnsafe() !== undefined).length
    yield* Deferred.succeed(isThrough, undefined)
    yield* Fiber.join(holder)
    const exits = yield* Effect.forEach(blocked, (fiber) => Fiber.join(fiber))
    return { early, failed: exits.filter(Exit.isFailure).length }
  })

  it.effect("keep no write and no reading of others waiting, and are done when the row is free", () =>
    withStores(
      Effect.gen(function* () {
        yield* given([1, 2])
        const others = Effect.andThen(
          Effect.forEach(writesOf(2n), (write) => write, { concurrency: "unbounded" }),
          OrganizationStore.use(({ get }) => get(OrganizationId.make(2n)))
        )
        assert.deepStrictEqual(yield* whileBlocked([1], others), { early: 0, failed: 0 })
      })
    )
  )

  it.effect("leave connections to readings, however many organizations they are of", () =>
    withStores(
      Effect.gen(function* () {
        const ids = Array.from({ length: 12 }, (_, i) => i + 1)
        yield* given([...ids, 13])
        const reading = OrganizationStore.use(({ get }) => get(OrganizationId.make(13n)))
        assert.deepStrictEqual(yield* whileBlocked(ids, Effect.all([reading, reading])), { early: 0, failed: 0 })
      })
    )
  )

  it.effect("cannot do without a writer: an operation that reads has no writes", () =>
    withStores(
      Effect.gen(function* () {
        const db = makeDatabase(yield* SqlClient.SqlClient)
        const storing = makeStoring(db, Effect.void)
        const write = db.run("delete from favorite", [])
        for (const unnamed of [storing("forget", write), storing.long("forget", db.transaction(write))]) {
          assert.isTrue(Exit.isFailure(yield* Effect.exit(unnamed)))
        }
        yield* storing.unaudited(OrganizationId.make(1n))("forget", write)
      })
    )
  )
})

describe("turns", () => {
  /** Runs writes of these keys, of which each ends when the one before has: the order in which they run. */
  const orderOf = Effect.fnUntraced(function* (concurrency: number, keys: ReadonlyArray<string>) {
    const limited = makeConcurrencyLimiter(concurrency, "overloaded")
    const order: Array<string> = []
    const fibers = yield* Effect.forEach(keys, (key) =>
      Effect.forkChild(
        limited(
          { fairnessKey: key, orderingKey: key },
          Effect.andThen(
            Effect.sync(() => order.push(key)),
            Effect.yieldNow
          )
        ),
        { startImmediately: true }
      )
    )
    yield* Effect.forEach(fibers, Fiber.join)
    return order.join("")
  })

  // The first finds no other waiting.
  it.effect("go around among the keys that wait", () =>
    Effect.gen(function* () {
      assert.strictEqual(yield* orderOf(1, [..."aaaabbbcc"]), "aabcabcab")
    })
  )

  it.effect("one key has one at a time, and the rest of them are for others", () =>
    Effect.gen(function* () {
      const limited = makeConcurrencyLimiter(3, "overloaded")
      const running: Array<string> = []
      const gate = yield* Deferred.make<void>()
      const fibers = yield* Effect.forEach([..."aaab"], (key) =>
        Effect.forkChild(
          limited(
            { fairnessKey: key, orderingKey: key },
            Effect.andThen(
              Effect.sync(() => running.push(key)),
              Deferred.await(gate)
            )
          ),
          { startImmediately: true }
        )
      )
      assert.deepStrictEqual(running, ["a", "b"])
      // One that is interrupted while it waits, and one that has its turn, leave nothing behind.
      yield* Fiber.interrupt(fibers[1]!)
      yield* Fiber.interrupt(fibers[0]!)
      assert.deepStrictEqual(running, ["a", "b", "a"])
      yield* Deferred.succeed(gate, undefined)
      yield* Fiber.join(fibers[2]!)
      assert.strictEqual(yield* limited({ fairnessKey: "a", orderingKey: "a" }, Effect.succeed("done")), "done")
    })
  )

  it.effect("a key that waits for half of all places is refused more, and others are not", () =>
    Effect.gen(function* () {
      const limited = makeConcurrencyLimiter(1, "overloaded", 6)
      const keys = { fairnessKey: "a", orderingKey: "a" }
      const waiting = yield* Effect.forEach(Array.from({ length: 4 }), () =>
        Effect.forkChild(limited(keys, Effect.never), { startImmediately: true })
      )
      assert.strictEqual(yield* Effect.flip(limited(keys, Effect.never)), "overloaded")
      const other = yield* Effect.forkChild(limited({ fairnessKey: "b", orderingKey: "b" }, Effect.succeed("done")), {
        startImmediately: true
      })
      yield* Effect.forEach(waiting.slice(0, 2), Fiber.interrupt)
      assert.strictEqual(yield* Fiber.join(other), "done")
      yield* Effect.forEach(waiting, Fiber.interrupt)
    })
  )
})
