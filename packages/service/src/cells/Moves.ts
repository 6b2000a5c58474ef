/**
 * What a server knows of organizations that moved between cells, and whose requests it holds: each call of a store for an id passes here.
 *
 * A call waits while its organization is about to leave, and goes on in the cell that it is in then. Calls are counted by what they name, so that
 * a server says that it holds the requests of an organization once none is being answered.
 */
import { MOVED_KINDS, type MovedId, type MovedKind } from "@sojourn/adapter-postgres"
import { type CellNumber, cellOfId, type Premises, StoreError } from "@sojourn/core"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"

/** For how long a call waits at most for its organization to arrive. It is longer than servers may take to hold requests. */
const HOLD_TIMEOUT = "5 seconds"

/**
 * For how many milliseconds a server goes on without having looked at a cell. It is shorter than who moves an organization waits for it: so it
 * asks no cell for what has left it.
 */
const LOOK_LIFETIME_MS = 6000

/** How often a list of all cells is read again at most, as something moved meanwhile. */
const MAX_READINGS = 5

/** Where a move led, and its number. */
interface Departed {
  readonly to: CellNumber
  readonly number: bigint
}

/** An organization whose requests are held. */
interface Held {
  readonly cell: CellNumber
  ids: ReadonlyArray<MovedId>
  readonly released: Deferred.Deferred<void>
}

/** A map for each kind: ids of different kinds may be equal. */
const mapsOf = <A>() =>
  Object.fromEntries(MOVED_KINDS.map((kind) => [kind, new Map<bigint, A>()])) as Record<MovedKind, Map<bigint, A>>

/** The id of what some premises are. */
export const movedIdOf = (premises: Premises): MovedId =>
  premises._tag === "OrganizationPremises"
    ? { kind: "organization", id: premises.organizationId }
    : { kind: "place", id: premises.placeId }

const moving = new StoreError({ operation: "wait for a move", cause: "the organization is moving to another cell" })
const notLooked = new StoreError({ operation: "use a cell", cause: "the moves of the cell could not be read" })

/** What a server knows of moves. */
export interface Moves {
  /** Where what an id names is, and the number of the last move there; none for an id of no cell. */
  readonly find: (named: MovedId) => Option.Option<{ readonly cell: CellNumber; readonly number: bigint }>
  /** Runs what asks for some ids: while none of them is held, and each counts as being answered. */
  readonly enter: <A, E, R>(
    named: ReadonlyArray<MovedId>,
    use: () => Effect.Effect<A, E, R>
  ) => Effect.Effect<A, E | StoreError, R>
  /**
   * Runs what asks several cells: again where something moved meanwhile, unless the answer is sure anyway. What `isOfAll` fails where the moves of
   * any cell could not be read.
   */
  readonly whole: <A, E, R>(
    use: Effect.Effect<A, E, R>,
    options?: { readonly isSure?: (answer: A) => boolean; readonly isOfAll?: boolean }
  ) => Effect.Effect<A, E | StoreError, R>
  /** For who looks at the cells. */
  readonly watch: MovesWatch
}

/** How who looks at the cells changes what is known. */
export interface MovesWatch {
  /** From here on a cell is asked only while it was looked at lately. */
  readonly begin: (cell: CellNumber) => void
  readonly looked: (cell: CellNumber, at: number) => void
  readonly hold: (attempt: string, cell: CellNumber, ids: ReadonlyArray<MovedId>) => void
  /** The attempts to move an organization out of this cell whose requests are held. */
  readonly heldOf: (cell: CellNumber) => ReadonlyArray<string>
  /** Whether no call is being answered that an attempt holds. */
  readonly isStill: (attempt: string) => boolean
  readonly learn: (cell: CellNumber, ids: ReadonlyArray<MovedId>, departed: Departed) => void
  readonly release: (attempt: string) => void
}

/** Nothing moves yet. */
export const makeMoves = (): Moves => {
  const departures = new Map<CellNumber, Record<MovedKind, Map<bigint, Departed>>>()
  const held = new Map<string, Held>()
  const holders = mapsOf<Held>()
  const answering = mapsOf<number>()
  const lookedAt = new Map<CellNumber, number>()
  /** Rises when an organization begins to move, and when it has. */
  let version = 0

  const find: Moves["find"] = ({ kind, id }) => {
    const issuer = cellOfId(id)
    if (departures.size === 0) return Option.map(issuer, (cell) => ({ cell, number: 0n }))
    return Option.map(issuer, (cell) => {
      let found = { cell, number: 0n }
      while (true) {
        const departed = departures.get(found.cell)?.[kind].get(id)
        if (departed === undefined || departed.number <= found.number) return found
        found = { cell: departed.to, number: departed.number }
      }
    })
  }

  const setHolders = (one: Held) => {
    for (const { kind, id } of one.ids) holders[kind].set(id, one)
  }

  const untilReleased = ({ released }: Held) =>
    Effect.timeoutOrElse(Deferred.await(released), { duration: HOLD_TIMEOUT, orElse: () => Effect.fail(moving) })

  const count = ({ kind, id }: MovedId, change: number) => {
    const now = (answering[kind].get(id) ?? 0) + change
    if (now === 0) answering[kind].delete(id)
    else answering[kind].set(id, now)
  }

  const isStale = (at: number | undefined): boolean => at !== undefined && performance.now() - at > LOOK_LIFETIME_MS

  const isOfStaleCell = (named: MovedId): boolean =>
    Option.exists(find(named), ({ cell }) => isStale(lookedAt.get(cell)))

  const enter: Moves["enter"] = (named, use) =>
    Effect.suspend(() => {
      if (lookedAt.size === 0) return use()
      if (held.size > 0) {
        const holder = named.map(({ kind, id }) => holders[kind].get(id)).find((found) => found !== undefined)
        if (holder !== undefined) return Effect.andThen(untilReleased(holder), enter(named, use))
      }
      if (named.some(isOfStaleCell)) return Effect.fail(notLooked)
      for (const one of named) count(one, 1)
      return Effect.onExit(Effect.suspend(use), () =>
        Effect.sync(() => {
          for (const one of named) count(one, -1)
        })
      )
    })

  const whole: Moves["whole"] = <A, E, R>(
    use: Effect.Effect<A, E, R>,
    {
      isSure = () => false,
      isOfAll = false
    }: { readonly isSure?: (answer: A) => boolean; readonly isOfAll?: boolean } = {}
  ) => {
    const read = (left: number): Effect.Effect<A, E | StoreError, R> =>
      Effect.suspend(() => {
        const before = version
        return Effect.flatMap(use, (answer): Effect.Effect<A, E | StoreError, R> => {
          if (isSure(answer)) return Effect.succeed(answer)
          if (isOfAll && [...lookedAt.values()].some(isStale)) return Effect.fail(notLooked)
          if (held.size === 0 && version === before) return Effect.succeed(answer)
          if (left === 0) return Effect.fail(moving)
          return Effect.andThen(Effect.forEach([...held.values()], untilReleased), read(left - 1))
        })
      })
    return read(MAX_READINGS)
  }

  return {
    find,
    enter,
    whole,
    watch: {
      begin: (cell) => void lookedAt.set(cell, -Infinity),
      looked: (cell, at) => void lookedAt.set(cell, at),
      hold: (attempt, cell, ids) => {
        const known = held.get(attempt)
        const one = known ?? { cell, ids, released: Deferred.makeUnsafe<void>() }
        if (known === undefined) version += 1
        one.ids = ids
        held.set(attempt, one)
        setHolders(one)
      },
      heldOf: (cell) => [...held].flatMap(([attempt, one]) => (one.cell === cell ? attempt : [])),
      isStill: (attempt) => !held.get(attempt)!.ids.some(({ kind, id }) => answering[kind].has(id)),
      learn: (cell, ids, departed) => {
        const ofCell = departures.get(cell) ?? mapsOf<Departed>()
        departures.set(cell, ofCell)
        for (const { kind, id } of ids) ofCell[kind].set(id, departed)
        version += 1
      },
      release: (attempt) => {
        const one = held.get(attempt)
        if (one === undefined) return
        held.delete(attempt)
        for (const kind of MOVED_KINDS) {
          for (const [id, holder] of holders[kind]) if (holder === one) holders[kind].delete(id)
        }
        for (const other of held.values()) setHolders(other)
        version += 1
        Deferred.doneUnsafe(one.released, Effect.void)
      }
    }
  }
}
