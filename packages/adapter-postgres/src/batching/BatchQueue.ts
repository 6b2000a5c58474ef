import { StoreError } from "@sojourn/core"
import * as Cause from "effect/Cause"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Fiber from "effect/Fiber"
import * as Option from "effect/Option"
import type * as Scope from "effect/Scope"
import * as SqlError from "effect/sql/SqlError"
import { describe, MOST_ATTEMPTS, Overtaken, sampledSpan } from "../database/Database.ts"
import { countRetries, laneMetrics } from "../database/metrics.ts"
import { type Batched, runBatch } from "./Batched.ts"
import { Pace } from "./LatencyWindow.ts"
import { type Standing, type Waiting, WaitingRoom } from "./PendingQueue.ts"

export interface LaneOptions {
  /** What its measures are called by. */
  readonly name: string
  /** Whether batches may leave; who rides meanwhile is refused with this. */
  readonly ready: Effect.Effect<void, StoreError>
  /** How many share one statement at most; 1: nobody shares. */
  readonly largestBatch: number
  /** How many batches are on their way at once, while none of them takes long. */
  readonly abreast: number
  /** How many while batches are slow (`Pace`); as many as else when left out. */
  readonly abreastWhenSlow?: number
  /** How many may wait; who comes then is refused. */
  readonly mostWaiting: number
}

/** How many batches are best on their way at once while they wait for most of their time; eight gave no more than four. */
export const ABREAST_WHEN_SLOW = 4

/**
 * A lane of batches (group commit). Those who wait at the same moment share one statement, and so one commit, and each is
 * answered after it. While a batch is on its way the next one collects, and where batches are slow leaves beside it once it
 * carries as much; nobody waits for a timer.
 *
 * An item that breaks its statement fails alone. A batch that takes long, because it waits for another server's lock or its
 * connection went silent, does not hold up those behind it. Who goes away while waiting is left out; what is on its way is
 * done all the same.
 */
export interface Lane {
  readonly ride: <Item, A, E>(
    batched: Batched<Item, A, E>,
    item: Item,
    standing: Standing
  ) => Effect.Effect<A, E | StoreError>
}

/** How often those who wait are looked after, in milliseconds. */
const TICK = 250

/** After how long a batch no longer holds up the next, in milliseconds. */
const LATE = 500

/** After how long a batch, and whoever still waits for one, is given up, in milliseconds. */
const GIVEN_UP = 15_000

/** How many batches that take long may be on their way beside the others. */
const MOST_LATE = 7

/** A batch on its way. */
interface Flight {
  readonly members: ReadonlyArray<Waiting>
  readonly fiber: Fiber.Fiber<void>
  /** When it left, by the clock's monotonic time in nanoseconds. */
  readonly left: bigint
  /** Only those ahead keep the next batch waiting. */
  state: "ahead" | "late" | "given up"
}

const refuse = ({ batched }: Waiting, cause: string) =>
  Exit.fail(new StoreError({ operation: batched.operation, cause }))

const turnAway = ({ batched }: Waiting) =>
  Exit.fail(new StoreError({ operation: batched.operation, cause: "too many are waiting", isOverload: true }))

/** How an exit leaves the lane; none for who has to run again. */
const answerOf = (waiting: Waiting, exit: Exit.Exit<unknown, unknown>): Exit.Exit<unknown, unknown> | undefined => {
  const error = Exit.isFailure(exit) ? Option.getOrUndefined(Cause.findErrorOption(exit.cause)) : undefined
  if (error instanceof Overtaken) {
    return ++waiting.attempts < MOST_ATTEMPTS ? undefined : refuse(waiting, `overtaken ${MOST_ATTEMPTS} times`)
  }
  return SqlError.isSqlError(error) ? refuse(waiting, describe(error)) : exit
}

/** How long the database works at most on a member, in milliseconds, unless its statement says otherwise. */
const USUAL_WORK = 0.03

/** How long it may have worked on this one. */
const workOf = ({ batched, item }: Waiting, exit: Exit.Exit<unknown, unknown> | undefined): number =>
  batched.work !== undefined && exit !== undefined && Exit.isSuccess(exit) ? batched.work(item, exit.value) : USUAL_WORK

/** Runs a statement for all who ask for it, and notes what came of each of them. */
const runGroup = (
  ready: Effect.Effect<void, StoreError>,
  batched: Batched<unknown, unknown, unknown>,
  group: ReadonlyArray<Waiting>
): Effect.Effect<void> => {
  const items = group.map(({ item }) => item)
  return Effect.matchCause(Effect.andThen(ready, runBatch(batched, items)), {
    onSuccess: (exits) => group.forEach((waiting, i) => (waiting.outcome = exits[i])),
    onFailure: (cause) => group.forEach((waiting) => (waiting.outcome = Exit.failCause(cause)))
  })
}

/** Runs everybody's statements, each once. */
const runAll = (ready: Effect.Effect<void, StoreError>, members: ReadonlyArray<Waiting>): Effect.Effect<void> => {
  const first = members[0]!.batched
  if (members.every(({ batched }) => batched === first)) return runGroup(ready, first, members)
  return Effect.forEach(
    Map.groupBy(members, ({ batched }) => batched),
    ([batched, group]) => runGroup(ready, batched, group),
    { concurrency: "unbounded", discard: true }
  )
}

/**
 * A batch in the trace of the first of its members that is traced, with links to those of the others; the untraced leave no
 * trace of it.
 */
const traced = (members: ReadonlyArray<Waiting>, run: Effect.Effect<void>): Effect.Effect<void> => {
  if (members.every(({ span }) => span === undefined)) return run
  const [parent, ...others] = members.flatMap(({ span }) => span ?? [])
  const links = others.map((span) => ({ span, attributes: {} }))
  const attributes = { "sojourn.batch.size": members.length }
  return Effect.withSpan(run, `batch: ${members[0]!.batched.operation}`, { parent, links, attributes })
}

/** A lane that is open as long as the scope. */
export const makeLane = Effect.fnUntraced(function* ({
  name,
  ready,
  largestBatch,
  abreast,
  abreastWhenSlow = abreast,
  mostWaiting
}: LaneOptions): Effect.fn.Return<Lane, never, Scope.Scope> {
  const runFork = Effect.runForkWith(yield* Effect.context<never>())
  const clock = yield* Clock.Clock
  const room = new WaitingRoom(mostWaiting)
  const flights = new Set<Flight>()
  const pace = new Pace()
  const metrics = laneMetrics(name, { waiting: () => room.size, inFlight: () => flights.size })
  const turns = new Set<string>()
  let isAboutToDepart = false
  let isDeparting = false
  let isWatched = false

  /**
   * Answers somebody, once. What they do with it runs from here, on the stack of the database's connection: if it threw, those
   * behind them would not be answered, and the connection would end without a word.
   */
  const answer = (waiting: Waiting, exit: Exit.Exit<unknown, unknown>): void => {
    const tell = waiting.answer
    waiting.answer = undefined
    try {
      tell?.(exit)
    } catch (defect) {
      runFork(Effect.logError(`${waiting.batched.operation}: the answer was not taken`, Cause.die(defect)))
    }
  }

  /** When what runs now has run: whoever is begun together with the first rides along, and nobody waits for another turn. */
  const departSoon = () => {
    if (isAboutToDepart) return
    isAboutToDepart = true
    void Promise.resolve().then(() => {
      isAboutToDepart = false
      depart()
    })
  }

  /** May a batch leave? While they are slow also beside others, as long as it carries as many: a commit is shared by no fewer then. */
  const isFree = () => {
    let ahead = 0
    let carried = 0
    for (const { state, members } of flights) {
      if (state !== "ahead") continue
      ahead++
      carried += members.length
    }
    if (flights.size >= abreast + MOST_LATE) return false
    return ahead < abreast || (ahead < abreastWhenSlow && pace.isSlow && room.size * ahead >= carried)
  }

  /** A batch may be back before it has left, as when the stores are not ready: it departs from here, and not from within. */
  const depart = () => {
    if (isDeparting) return
    isDeparting = true
    while (room.size > 0 && isFree()) {
      const members = room.call(largestBatch, turns)
      if (members.length === 0) break
      fly(members)
    }
    isDeparting = false
  }

  const fly = (members: ReadonlyArray<Waiting>) => {
    const flight: Flight = {
      members,
      left: clock.monotonicTimeNanosUnsafe(),
      fiber: runFork(traced(members, runAll(ready, members))),
      state: "ahead"
    }
    flights.add(flight)
    metrics.left(members.length)
    watch()
    flight.fiber.addObserver(() => {
      flights.delete(flight)
      const age = ageOf(flight)
      const again: Array<Waiting> = []
      let work = 0
      const answers = members.map((waiting) => {
        if (waiting.standing.turn !== undefined) turns.delete(waiting.standing.turn)
        const exit = answerOf(waiting, waiting.outcome ?? refuse(waiting, "interrupted"))
        waiting.outcome = undefined
        work += workOf(waiting, exit)
        if (exit === undefined) again.push(waiting)
        return exit
      })
      if (again.length > 0) countRetries(again.length)
      room.enterAgain(again)
      // The next batch leaves first: the database works on it while these are answered.
      depart()
      answers.forEach((exit, i) => {
        if (exit !== undefined) answer(members[i]!, exit)
      })
      pace.took(age, work)
      metrics.returned(age / 1000)
    })
  }

  /** How long ago a batch left, in milliseconds. */
  const ageOf = ({ left }: Flight) => Number(clock.monotonicTimeNanosUnsafe() - left) / 1e6

  /** Time is read and not counted: a machine that has too much to do looks less often. */
  const look = (elapsed: number) => {
    for (const flight of flights) {
      const age = ageOf(flight)
      if (age < LATE || flight.state === "given up") continue
      flight.state = age < GIVEN_UP ? "late" : "given up"
      if (flight.state === "late") continue
      for (const waiting of flight.members) answer(waiting, refuse(waiting, "no answer in time"))
      flight.fiber.interruptUnsafe()
    }
    for (const waiting of room.grow(elapsed, GIVEN_UP)) answer(waiting, refuse(waiting, "no connection in time"))
    depart()
  }

  /** Looks after those who wait, as long as somebody does. */
  const watch = () => {
    if (isWatched) return
    isWatched = true
    let last = clock.monotonicTimeNanosUnsafe()
    runFork(
      Effect.sleep(TICK).pipe(
        Effect.andThen(
          Effect.sync(() => {
            const now = clock.monotonicTimeNanosUnsafe()
            look(Number(now - last) / 1e6)
            last = now
          })
        ),
        Effect.repeat({ while: () => flights.size > 0 || room.size > 0 }),
        Effect.ensuring(Effect.sync(() => (isWatched = false)))
      )
    )
  }

  yield* Effect.addFinalizer(() => {
    metrics.close()
    for (const waiting of room.leave()) answer(waiting, refuse(waiting, "the stores are closed"))
    return Fiber.interruptAll([...flights].map(({ fiber }) => fiber))
  })

  return {
    ride: (batched, item, standing) =>
      Effect.withFiber((fiber) =>
        Effect.callback((resume) => {
          const waiting: Waiting = {
            batched: batched as never,
            item,
            standing,
            answer: resume as never,
            outcome: undefined,
            span: sampledSpan(fiber.context),
            attempts: 0,
            waited: 0
          }
          if (!room.enter(waiting)) return answer(waiting, turnAway(waiting))
          departSoon()
          return Effect.sync(() => (waiting.answer = undefined))
        })
      )
  }
})
