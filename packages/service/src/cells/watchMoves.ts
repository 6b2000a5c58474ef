/** Looks at each cell again and again: which organizations are about to leave it, and which have left, and does what moves left to do that were cut off. */
import { abandonCopy, CellMoves, type CellOfMove, type Departure } from "@sojourn/adapter-postgres"
import type { CellNumber, OrganizationId } from "@sojourn/core"
import * as Context from "effect/Context"
import * as SecureRandom from "effect/crypto/SecureRandom"
import * as Effect from "effect/Effect"
import * as Latch from "effect/Latch"
import * as Option from "effect/Option"
import * as Schedule from "effect/Schedule"
import * as Stream from "effect/Stream"
import type { Cell } from "./Cells.ts"
import type { Moves } from "./Moves.ts"

/** How often a cell is looked at, unless it notifies of a change. */
const INTERVAL = "1 second"

/** The same while requests are held. */
const INTERVAL_OF_MOVES = "20 millis"

/** How long the process that moved an organization has to delete its history in the former cell, before servers do. */
const CLEAR_AFTER_MS = 10_000

/** What moves left in a cell. */
interface Rests {
  /** The organizations whose history is still there, and since when this process knows that they have left. */
  readonly histories: Map<OrganizationId, number>
  /** Those that were to come, and did not: or that have, where the move is completed at this moment. */
  copies: ReadonlyArray<Pick<Departure, "organizationId">>
}

/** The cells that have moves: those in memory have none. */
export const cellsOfMoves = (cells: ReadonlyArray<Cell>): ReadonlyArray<CellOfMove> =>
  cells.flatMap(({ number, stores }) => {
    const moves = Context.getOrUndefined(stores as Context.Context<any>, CellMoves)
    return moves === undefined ? [] : [{ number, moves }]
  })

/** Makes what looks at a cell once. */
const makeLook = (
  number: CellNumber,
  cell: CellMoves["Service"],
  server: string,
  { find, watch }: Moves,
  rests: Rests
) => {
  const known = new Map<OrganizationId, Departure["number"]>()
  const acknowledged = new Set<string>()

  const learn = Effect.fnUntraced(function* ({ organizationId, cell: to, number: move }: Departure) {
    if (known.get(organizationId) === move) return
    watch.learn(number, yield* cell.departedIdsOf(organizationId), { to, number: move })
    known.set(organizationId, move)
  })

  /** Returns whether requests are held that the cell has no acknowledgement of yet. */
  return Effect.gen(function* () {
    const began = performance.now()
    const { moving, departures, arriving } = yield* cell.look(server, [...acknowledged])
    for (const departure of departures) {
      yield* learn(departure)
      const { organizationId, isCleared } = departure
      if (isCleared) rests.histories.delete(organizationId)
      else if (!rests.histories.has(organizationId)) rests.histories.set(organizationId, began)
    }
    let hasUnacknowledged = false
    // What an organization gets while it is about to leave, by other servers, is held as well.
    for (const { attempt, organizationId } of moving) {
      watch.hold(attempt, number, yield* cell.idsOf(organizationId))
      if (acknowledged.has(attempt) || !watch.isStill(attempt)) continue
      acknowledged.add(attempt)
      hasUnacknowledged = true
    }
    for (const attempt of watch.heldOf(number)) {
      if (moving.some((one) => one.attempt === attempt)) continue
      acknowledged.delete(attempt)
      watch.release(attempt)
    }
    watch.looked(number, began)
    rests.copies = arriving.filter(({ isOld }) => isOld)
    for (const arrival of arriving) {
      const found = find({ kind: "organization", id: arrival.organizationId })
      // Who moved it ended before it did this.
      if (Option.exists(found, (one) => one.cell === number && one.number === arrival.number)) {
        yield* cell.complete(arrival)
      }
    }
    return hasUnacknowledged
  })
}

/** Deletes what moves left in a cell that were cut off. What fails is tried again. */
const deleteRests = (cells: ReadonlyArray<CellOfMove>, { number, moves }: CellOfMove, rests: Rests) =>
  Effect.gen(function* () {
    for (const [organizationId, since] of rests.histories) {
      if (performance.now() - since > CLEAR_AFTER_MS) yield* Effect.ignore(moves.clear(organizationId))
    }
    for (const { organizationId } of rests.copies)
      yield* Effect.ignore(abandonCopy(cells, { organizationId, cell: number }))
  })

/** Looks at the cells until the scope ends. It returns once each that answers was looked at. */
export const watchMoves = Effect.fnUntraced(function* (cells: ReadonlyArray<Cell>, moves: Moves) {
  const server = SecureRandom.uuidV4Unsafe()
  const all = cellsOfMoves(cells)
  yield* Effect.forEach(
    all,
    Effect.fnUntraced(function* (cell) {
      const { number, moves: port } = cell
      moves.watch.begin(number)
      yield* Effect.addFinalizer(() => Effect.ignore(port.leave(server)))
      const changed = yield* Latch.make()
      const rests: Rests = { histories: new Map(), copies: [] }
      const look = Effect.andThen(
        changed.close,
        Effect.catch(makeLook(number, port, server, moves, rests), () => Effect.succeed(false))
      )
      const again = Effect.suspend(() => {
        const interval = moves.watch.heldOf(number).length > 0 ? INTERVAL_OF_MOVES : INTERVAL
        return Effect.race(Effect.asVoid(changed.await), Effect.sleep(interval))
      })
      yield* look
      yield* Effect.forkScoped(
        Effect.forever(Effect.flatMap(look, (hasUnacknowledged) => (hasUnacknowledged ? Effect.void : again)))
      )
      yield* Effect.forkScoped(Effect.repeat(deleteRests(all, cell, rests), Schedule.spaced(INTERVAL)))
      const listening = Stream.runForEach(port.notifications, () => changed.open)
      yield* Effect.forkScoped(Effect.repeat(Effect.ignore(listening), Schedule.spaced(INTERVAL)))
    }),
    { concurrency: "unbounded", discard: true }
  )
})
