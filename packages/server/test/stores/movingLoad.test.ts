/** Organizations move between cells while two servers use them, and half of the moves are cut off first: nothing that was acknowledged is lost or doubled. Prints the pauses. */
import { CellNumber, OrganizationId, type StoreError, type Stores } from "@sojourn/core"
import { moveOrganization } from "@sojourn/service"
import { Random } from "@sojourn/testing"
import { assert, describe, it } from "@effect/vitest"
import type * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Fiber from "effect/Fiber"
import * as Schedule from "effect/Schedule"
import { aServer, create, cutOffAt, MOVE_STEPS, open, places, publishing, rowsIn, visitorsOf } from "./moving.ts"

const { SOJOURN_SEED = "1", SOJOURN_MOVES = "12" } = process.env

/** How many phones move people at once, in each organization. */
const WORKERS = 3

type Visitors = ReturnType<typeof visitorsOf>

/** What was acknowledged of one organization. */
interface Acknowledged {
  readonly entrances: Map<string, bigint>
  readonly exits: Set<bigint>
  refused: number
  slowest: number
}

const nothing = (): Acknowledged => ({ entrances: new Map(), exits: new Set(), refused: 0, slowest: 0 })

/** Sends a movement again until it is answered otherwise than 503, as a phone does. */
const insisting = <A, E extends { readonly _tag: string }>(
  known: Acknowledged,
  movement: Effect.Effect<A, E | StoreError>
) =>
  Effect.suspend(() => {
    const began = performance.now()
    return movement.pipe(
      Effect.tapError(() => Effect.sync(() => (known.refused += 1))),
      Effect.retry({ while: (error) => error._tag === "StoreError", schedule: Schedule.spaced("20 millis") }),
      Effect.tap(() => Effect.sync(() => (known.slowest = Math.max(known.slowest, performance.now() - began))))
    )
  })

/** People who come and go at any server. */
const people = (servers: ReadonlyArray<Visitors>, known: Acknowledged, random: Random, name: string) =>
  Effect.gen(function* () {
    const inside: Array<bigint> = []
    const somewhere = () => servers[random.below(servers.length)]!
    for (let n = 0; ; n++) {
      yield* Effect.sleep("5 millis")
      if (inside.length > 0 && random.chance(0.45)) {
        const id = inside.splice(random.below(inside.length), 1)[0]!
        yield* insisting(known, somewhere().leave(id))
        known.exits.add(id)
        // A repeated exit is answered the same.
        if (random.chance(0.1)) yield* insisting(known, somewhere().leave(id))
      } else {
        const key = `${name} ${n}`
        const { id } = yield* insisting(known, somewhere().enter(key))
        known.entrances.set(key, id)
        inside.push(id)
        if (random.chance(0.1)) {
          assert.strictEqual((yield* insisting(known, somewhere().enter(key))).id, id)
        }
      }
    }
  })

/** Reads a feed to its end again and again, as a stream does. */
const follow = (visitors: Visitors, versions: Array<number>) =>
  Effect.forever(
    Effect.gen(function* () {
      const [page] = yield* visitors.eventsAfter(versions.at(-1) ?? 0)
      if (page?._tag === "Events") versions.push(...page.events.map(({ version }): number => version))
      else versions.push(NaN)
      yield* Effect.sleep("10 millis")
    })
  ).pipe(Effect.retry(Schedule.spaced("20 millis")))

const use = (
  servers: ReadonlyArray<Context.Context<Stores>>,
  id: OrganizationId,
  known: Acknowledged,
  random: Random
) => {
  const visitors = servers.map((server) => visitorsOf(server, id))
  return Effect.forEach(
    Array.from({ length: WORKERS }, (_, n) => n),
    (n) => people(visitors, known, random, `${id} ${n}`),
    { concurrency: "unbounded", discard: true }
  )
}

describe.each(["one database", "two databases"] as const)(
  "an organization that moves over %s under load",
  (databases) => {
    it.live("keeps each acknowledged movement once, its feed without gaps, and its retry keys", () =>
      Effect.gen(function* () {
        const random = new Random(Number(SOJOURN_SEED))
        const found = yield* places(databases)
        const servers = [yield* aServer(found), yield* aServer(found)]
        const cells = yield* open(found)
        const { id } = yield* Effect.provide(create("Moving"), servers[0]!)
        const { id: staying } = yield* Effect.provide(create("Staying"), servers[0]!)
        const [known, other] = [nothing(), nothing()]
        const background = yield* Effect.forkChild(publishing(cells))
        const load = [
          yield* Effect.forkChild(use(servers, id, known, random)),
          yield* Effect.forkChild(use(servers, staying, other, random))
        ]
        const versions: Array<number> = []
        const following = yield* Effect.forkChild(follow(visitorsOf(servers[1]!, id), versions))
        const pauses: Array<number> = []
        const turns = [1, 200, 0]
        const last = turns[(Number(SOJOURN_MOVES) - 1) % 3]
        for (let n = 0; n < Number(SOJOURN_MOVES); n++) {
          const to = turns[n % 3]!
          yield* Effect.sleep("300 millis")
          const last = random.pick([...MOVE_STEPS, ...MOVE_STEPS.map(() => undefined)])
          if (last !== undefined) {
            const onStep = cutOffAt(last)
            const cutOff = moveOrganization(cells, { organizationId: id, to: CellNumber.make(to), onStep })
            assert.isTrue(Exit.isFailure(yield* Effect.exit(cutOff)))
          }
          pauses.push((yield* moveOrganization(cells, { organizationId: id, to: CellNumber.make(to) })).pauseMs)
          for (const fiber of load) if (fiber.pollUnsafe() !== undefined) yield* Fiber.join(fiber)
        }
        // Movements that are being answered are acknowledged or not: they are sent to their end.
        yield* Effect.forEach(load, Fiber.interrupt)
        yield* Fiber.interrupt(background)
        console.log(
          `${databases}: pauses of ${pauses.join()} ms; ${known.entrances.size} entrances, ${known.exits.size} exits, ` +
            `${known.refused} refused, slowest ${Math.round(known.slowest)} ms; elsewhere ${other.entrances.size} entrances, ` +
            `${other.refused} refused, slowest ${Math.round(other.slowest)} ms`
        )
        for (const [organizationId, acknowledged] of [
          [id, known],
          [staying, other]
        ] as const) {
          const people = visitorsOf(servers[0]!, organizationId)
          for (const [key, stayId] of acknowledged.entrances) {
            assert.strictEqual((yield* people.enter(key)).id, stayId, key)
          }
          const at = organizationId === id ? last : 0
          const { sql } = cells.find(({ number }) => number === at)!
          const ids = (table: string) =>
            Effect.map(
              sql<{ readonly id: bigint }>`select id from ${sql(table)} where organization_id = ${organizationId}`,
              (rows) => new Set(rows.map((row) => row.id))
            )
          const [inside, closed] = [yield* ids("open_stay"), yield* ids("stay")]
          for (const stayId of acknowledged.exits) assert.isTrue(closed.has(stayId), `an exit of ${stayId}`)
          for (const stayId of acknowledged.entrances.values()) {
            assert.isTrue(inside.has(stayId) !== closed.has(stayId), `a stay ${stayId}`)
          }
          // Each token of the people inside exits.
          yield* Effect.forEach(inside, people.leave, { concurrency: 8 })
          yield* publishing(cells).pipe(Effect.timeoutOption("500 millis"))
          const [snapshot] = yield* people.snapshot
          const { entered, left } = snapshot!.totals[0]!
          assert.deepStrictEqual([entered, left], [inside.size + closed.size, inside.size + closed.size])
          const [events] = yield* sql<{ readonly n: bigint; readonly last: bigint }>`
            select count(*) as n, max(version) as last from presence_event where organization_id = ${organizationId}`
          assert.strictEqual(events!.n, events!.last)
          const [history] = yield* sql<{ readonly entered: bigint; readonly left: bigint }>`
            select sum(entered)::bigint as entered, sum(departed)::bigint as left from presence_bucket
            where organization_id = ${organizationId} and step = 60`
          assert.deepStrictEqual([history!.entered, history!.left].map(Number), [entered, left])
        }
        yield* Effect.andThen(Effect.sleep("200 millis"), Fiber.interrupt(following))
        assert.deepStrictEqual(
          versions,
          versions.map((_, n) => n + 1)
        )
        for (const cell of cells) {
          const rows = yield* rowsIn(cell, id)
          assert.strictEqual(rows.organization, cell.number === last ? 1 : undefined)
        }
      })
    )
  }
)
