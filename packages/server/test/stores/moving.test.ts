/** Organizations move between cells: cut off at each step, and beside servers that are gone. */
import { abandonCopy, CellMoves, MoveFailed } from "@sojourn/adapter-postgres"
import { CellNumber, DeviceStore, Timestamp, WebhookStore } from "@sojourn/core"
import { moveOrganization } from "@sojourn/service"
import { assert, describe, it } from "@effect/vitest"
import * as Cause from "effect/Cause"
import * as Effect from "effect/Effect"
import * as Context from "effect/Context"
import * as Exit from "effect/Exit"
import * as Fiber from "effect/Fiber"
import * as Latch from "effect/Latch"
import * as Option from "effect/Option"
import * as Result from "effect/Result"
import * as Schedule from "effect/Schedule"
import {
  aServer,
  create,
  cutOffAt,
  MOVE_STEPS,
  open,
  type OpenCell,
  OWNER,
  places,
  rowsIn,
  visitorsOf
} from "./moving.ts"

const CELL = { home: CellNumber.make(0), other: CellNumber.make(1), third: CellNumber.make(200) }

/** An organization in the home cell of three in one database, with a server over them and its visitors. */
const library = Effect.gen(function* () {
  const found = yield* places("one database")
  const server = yield* aServer(found)
  const cells = yield* open(found)
  const made = yield* Effect.provide(create("Library"), server)
  return { ...made, cells, people: visitorsOf(server, made.id) }
})

/** Waits until a cell has no row of an organization. */
const untilEmpty = (cell: OpenCell, id: bigint) =>
  Effect.repeat(rowsIn(cell, id), {
    until: (rows) => Object.keys(rows).length === 0,
    schedule: Schedule.spaced("100 millis")
  })

describe("an organization that moves between cells", () => {
  it.live("is complete in one cell wherever the move is cut off, works on, and the same call does the rest", () =>
    Effect.gen(function* () {
      const { cells, id, name, people } = yield* library
      const closed = yield* people.enter()
      yield* people.leave(closed.id)
      let [from, to] = [CELL.home, CELL.other]
      for (const [n, last] of MOVE_STEPS.entries()) {
        const inside = yield* people.enter(`key ${n}`)
        const cutOff = yield* Effect.exit(
          moveOrganization(cells, {
            organizationId: id,
            to,
            onStep: cutOffAt(last)
          })
        )
        assert.isTrue(Exit.isFailure(cutOff) && Cause.hasDies(cutOff.cause), last)
        // Whatever was held is let go by itself.
        assert.deepStrictEqual((yield* people.enter(`key ${n}`)).id, inside.id, last)
        assert.strictEqual(yield* people.count, 1, last)
        assert.strictEqual(Option.map(yield* people.named(name), (one) => one.id).pipe(Option.getOrThrow), id, last)
        assert.deepStrictEqual([yield* people.listed, (yield* people.owned).length], [1, 1], last)
        yield* people.leave(inside.id)
        yield* moveOrganization(cells, { organizationId: id, to })
        assert.strictEqual(yield* people.count, 0, last)
        const [left, arrived] = [
          cells.find(({ number }) => number === from)!,
          cells.find(({ number }) => number === to)!
        ]
        assert.deepStrictEqual(yield* rowsIn(left, id), {}, last)
        assert.strictEqual((yield* rowsIn(arrived, id)).stay, 2 + n, last)
        ;[from, to] = [to, from]
      }
      yield* people.publish
      const [snapshot] = yield* people.snapshot
      const { entered, left } = snapshot!.totals[0]!
      assert.deepStrictEqual([entered, left], [1 + MOVE_STEPS.length, 1 + MOVE_STEPS.length])
    })
  )

  it.live("goes on from cell to cell and back, and is found by its ids from each", () =>
    Effect.gen(function* () {
      const found = yield* places("two databases")
      const [server, other] = [yield* aServer(found), yield* aServer(found)]
      const cells = yield* open(found)
      const { id } = yield* Effect.provide(create("Library"), server)
      const owned = { organizationId: id, administratorId: OWNER.administratorId, decide: () => Result.void }
      const now = Timestamp(Date.now())
      const device = yield* DeviceStore.use((store) =>
        store.create({ ...owned, name: "Door", premises: [], tokenHash: "hash", now })
      ).pipe(Effect.provide(server))
      const { webhookId } = yield* WebhookStore.use((store) =>
        store.create({ ...owned, webhook: { url: "https://example.org/", types: [], keyId: 0 }, now })
      ).pipe(Effect.provide(server))
      const stays = []
      for (const to of [CELL.other, CELL.third, CELL.home, CELL.third, CELL.other]) {
        stays.push(yield* visitorsOf(server, id).enter())
        yield* moveOrganization(cells, { organizationId: id, to })
        assert.strictEqual(yield* visitorsOf(other, id).count, stays.length)
        assert.deepStrictEqual(yield* moveOrganization(cells, { organizationId: id, to }), { from: to, pauseMs: 0 })
        const found = yield* Effect.provide(
          DeviceStore.use((store) => store.findByToken("hash", now)),
          other
        )
        assert.deepStrictEqual(
          Option.map(found, (one) => one.id),
          Option.some(device.id)
        )
        // Who delivers takes the webhook in its new cell, and it can be changed there by its id.
        const { stores } = cells.find(({ number }) => number === to)!
        const lease = { holder: `of ${to}`, most: 10, until: Timestamp(now + 60_000), now }
        const { taken } = yield* Context.get(stores, WebhookStore).lease(lease)
        assert.deepStrictEqual(
          taken.map((one): bigint => one.webhookId),
          [webhookId]
        )
        yield* Effect.provide(
          WebhookStore.use((store) => store.test({ ...owned, webhookId })),
          other
        )
      }
      // A server that was not there before.
      const late = visitorsOf(yield* aServer(found), id)
      for (const stay of stays) yield* late.leave(stay.id)
      assert.strictEqual(yield* late.count, 0)
      const refused = yield* Effect.flip(moveOrganization(cells, { organizationId: id, to: CellNumber.make(7) }))
      assert.instanceOf(refused, MoveFailed)
    })
  )

  it.live("is in one cell after several moves at once, and a move to where it is gives up what was cut off", () =>
    Effect.gen(function* () {
      const { cells, id, people } = yield* library
      const inside = yield* people.enter()
      const moves = [CELL.other, CELL.third, CELL.other].map((to) =>
        moveOrganization(cells, { organizationId: id, to })
      )
      // Two to one cell may be in the way of each other until one gives up.
      const ended = moves.map((move) => Effect.catchTag(move, "MoveFailed", () => Effect.void))
      yield* Effect.all(ended, { concurrency: "unbounded" })
      const holding = Effect.map(
        Effect.forEach(cells, (cell) => rowsIn(cell, id)),
        (rows) => cells.filter((_, n) => "organization" in rows[n]!)
      )
      const [cell, ...others] = yield* holding
      assert.deepStrictEqual(others, [])
      const to = cell!.number === CELL.other ? CELL.third : CELL.other
      yield* Effect.exit(moveOrganization(cells, { organizationId: id, to, onStep: cutOffAt("arrived") }))
      assert.strictEqual((yield* holding).length, 2)
      yield* moveOrganization(cells, { organizationId: id, to: cell!.number })
      assert.deepStrictEqual(yield* holding, [cell])
      yield* people.leave(inside.id)
    })
  )

  it.live("leaves nothing where it was, also when the move is cut off before that: a server deletes it", () =>
    Effect.gen(function* () {
      const { cells, id, people } = yield* library
      yield* people.leave((yield* people.enter()).id)
      yield* Effect.exit(moveOrganization(cells, { organizationId: id, to: CELL.other, onStep: cutOffAt("left") }))
      assert.strictEqual((yield* rowsIn(cells[0]!, id)).stay, 1)
      yield* untilEmpty(cells[0]!, id)
      assert.strictEqual((yield* rowsIn(cells[1]!, id)).stay, 1)
    })
  )

  it.live("leaves no copy where it did not arrive: a server deletes it after a day", () =>
    Effect.gen(function* () {
      const { cells, id, people } = yield* library
      yield* people.leave((yield* people.enter()).id)
      yield* Effect.exit(moveOrganization(cells, { organizationId: id, to: CELL.other, onStep: cutOffAt("copied") }))
      const { sql } = cells[1]!
      yield* sql`update arrival set announced_at = clock_timestamp() - interval '23 hours'`
      yield* Effect.sleep("3 seconds")
      assert.strictEqual((yield* rowsIn(cells[1]!, id)).stay, 1)
      yield* sql`update arrival set announced_at = clock_timestamp() - interval '25 hours'`
      yield* untilEmpty(cells[1]!, id)
      assert.strictEqual((yield* rowsIn(cells[0]!, id)).stay, 1)
      yield* moveOrganization(cells, { organizationId: id, to: CELL.other })
      assert.strictEqual((yield* rowsIn(cells[1]!, id)).stay, 1)
    })
  )

  it.live.each([
    { at: "the moment of its arrival", lock: undefined },
    // What asks where it is reads no departure, and then waits for the end of the move.
    { at: "the moment in which it leaves", lock: "lock table organization in access exclusive mode" }
  ])("is not taken for a copy that is left over at $at", ({ lock }) =>
    Effect.gen(function* () {
      const { cells, id, people } = yield* library
      yield* people.leave((yield* people.enter()).id)
      const all = cells.map(({ number, stores }) => ({
        number,
        moves: Context.get(stores as Context.Context<any>, CellMoves)
      }))
      const hasArrived = yield* Latch.make()
      const deleting = yield* Effect.forkScoped(
        Effect.andThen(hasArrived.await, abandonCopy(all, { organizationId: id, cell: CELL.other }))
      )
      const onStep = Effect.fnUntraced(function* (step: string) {
        if (step === "arrived") {
          if (lock !== undefined) yield* cells[0].sql.unsafe(lock)
          yield* hasArrived.open
        }
        // Longer than the deletion takes that would be wrong.
        if (step === "arrived" || step === "left") yield* Effect.sleep("300 millis")
      })
      yield* moveOrganization(cells, { organizationId: id, to: CELL.other, onStep })
      yield* Effect.exit(Fiber.join(deleting))
      yield* abandonCopy(all, { organizationId: id, cell: CELL.other })
      const { organization, stay } = yield* rowsIn(cells[1]!, id)
      assert.deepStrictEqual([organization, stay], [1, 1])
    })
  )

  it.live("does not wait for a server that was killed longer than its lifetime", () =>
    Effect.gen(function* () {
      const { cells, id, people } = yield* library
      yield* cells[0]
        .sql`insert into cell_server (id, seen_at, acknowledged) values ('killed', clock_timestamp() - interval '8 seconds', '{}')`
      yield* moveOrganization(cells, { organizationId: id, to: CELL.other })
      assert.strictEqual((yield* rowsIn(cells[1]!, id)).organization, 1)
      yield* people.enter()
    })
  )
})
