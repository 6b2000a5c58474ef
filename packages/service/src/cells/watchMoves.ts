/** Looks at each cell again and again: which organizations are about to leave it, and which have left, and does what moves left to do that were cut off. */
import { CellMoves, type Departure } from "@sojourn/adapter-postgres"
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

/** How long whoever moved an organization has to delete its history in the former cell, before servers do. */
const CLEAR_AFTER_MS = 10_000

/** The moves of a cell; undefined where its stores have none, as those in memory. */
export const movesOf = ({ stores }: Cell): CellMoves["Service"] | undefined =>
  Context.getOrUndefined(stores as Context.Context<any>, CellMoves)

/** Makes what looks at a cell once. */
const makeLook = (
  number: CellNumber,
  cell: CellMoves["Service"],
  server: string,
  { find, watch }: Moves,
  uncleared: Map<OrganizationId, number>
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
      if (isCleared) uncleared.delete(organizationId)
      else if (!uncleared.has(organizationId)) uncleared.set(organizationId, began)
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

/** Deletes the history of the organizations that have left a cell, each since a moment of the process. */
const clearLeft = (cell: CellMoves["Service"], uncleared: ReadonlyMap<OrganizationId, number>) =>
  Effect.suspend(() => {
    const due = [...uncleared].filter(([, since]) => performance.now() - since > CLEAR_AFTER_MS)
    return Effect.forEach(due, ([organizationId]) => Effect.ignore(cell.clear(organizationId)), { discard: true })
  })

/** Looks at the cells until the scope ends. It returns once each that answers was looked at. */
export const watchMoves = Effect.fnUntraced(function* (cells: ReadonlyArray<Cell>, moves: Moves) {
  const server = SecureRandom.uuidV4Unsafe()
  yield* Effect.forEach(
    cells,
    Effect.fnUntraced(function* (cell) {
      const port = movesOf(cell)
      if (port === undefined) return
      const { number } = cell
      moves.watch.begin(number)
      yield* Effect.addFinalizer(() => Effect.ignore(port.leave(server)))
      const changed = yield* Latch.make()
      const uncleared = new Map<OrganizationId, number>()
      const look = Effect.andThen(
        changed.close,
        Effect.catch(makeLook(number, port, server, moves, uncleared), () => Effect.succeed(false))
      )
      const again = Effect.suspend(() => {
        const interval = moves.watch.heldOf(number).length > 0 ? INTERVAL_OF_MOVES : INTERVAL
        return Effect.race(Effect.asVoid(changed.await), Effect.sleep(interval))
      })
      yield* look
      yield* Effect.forkScoped(
        Effect.forever(Effect.flatMap(look, (hasUnacknowledged) => (hasUnacknowledged ? Effect.void : again)))
      )
      yield* Effect.forkScoped(Effect.repeat(clearLeft(port, uncleared), Schedule.spaced(INTERVAL)))
      const listening = Stream.runForEach(port.notifications, () => changed.open)
      yield* Effect.forkScoped(Effect.repeat(Effect.ignore(listening), Schedule.spaced(INTERVAL)))
    }),
    { concurrency: "unbounded", discard: true }
  )
})
