/** Runs random commands on a service and on the oracle, and shrinks the first difference to a short run that can be replayed. */
import * as Data from "effect/Data"
import * as Effect from "effect/Effect"
import { everyFeed, everyHistory, everything, touchedBy, tracesOf } from "./audit.ts"
import type { Command, Request } from "./commands.ts"
import type { Driver, StartDriver, StartOracle } from "./Driver.ts"
import { answer, confirmAll, type Exchange, type Expected, type Linearized, linearize, saved } from "./linearize.ts"
import { nextWorld, worldAfterSweep } from "./nextWorld.ts"
import { generate } from "./generate/generate.ts"
import { violationOf, violationsOf } from "./invariants.ts"
import { agrees, type Answer, type Observed, TokenPairs } from "./outcomes.ts"
import { Random } from "./Random.ts"
import { shrink } from "./shrink.ts"
import { coveredBy, coveredByRace, statesOf, type Coverage } from "./coverage.ts"
import { EMPTY_WORLD, type World } from "./World.ts"

/** How many commands are in a run; each run starts a service of its own. */
const COMMANDS_PER_RUN = 250

/** The largest publishing interval of a run, in milliseconds. */
const LARGEST_INTERVAL = 60_000

/** Everything is read after so many steps, and at the end of a run. */
const AUDIT_INTERVAL = 50

/** The service that is checked, and the one that it is compared with. */
export interface Compared {
  readonly oracle: StartOracle
  readonly subject: StartDriver
}

export interface ModelOptions extends Compared {
  readonly seed: number
  /** How many commands in all. */
  readonly commands: number
  /** How many runs a failure may be shrunk with. */
  readonly shrinkTries?: number | undefined
}

/** What a check did. */
export interface ModelReport extends Coverage {
  readonly commands: number
  readonly requests: number
}

/** A step at which a service answered differently from the oracle, or in a way that is never right. */
export interface Divergence {
  readonly step: number
  readonly requests: ReadonlyArray<Request>
  readonly expected: ReadonlyArray<Answer | string>
  readonly got: ReadonlyArray<Observed>
}

export class ModelDivergence extends Data.TaggedError("ModelDivergence")<{
  readonly seed: number
  readonly run: number
  readonly commands: ReadonlyArray<Command>
  readonly divergence: Divergence
  /** How many commands in all had passed. */
  readonly passed: number
}> {
  override get message(): string {
    const { requests, expected, got, step } = this.divergence
    return [
      `the service answered other than the oracle (seed ${this.seed}, run ${this.run}, after ${this.passed} commands)`,
      `at step ${step} of ${this.commands.length}:`,
      ...requests.map((request, index) =>
        [
          `  request   ${JSON.stringify(request)}`,
          `  expected  ${JSON.stringify(expected[index])}${requests.length > 1 ? " (or as in another order)" : ""}`,
          `  got       ${JSON.stringify(got[index])}`
        ].join("\n")
      ),
      `replay: ${JSON.stringify(this.commands)}`
    ].join("\n")
  }
}

interface Run {
  readonly subject: Driver
  readonly expected: Expected
  world: World
  requests: number
  readonly met: Set<string>
}

const divergenceAt = (
  step: number,
  exchanges: ReadonlyArray<Exchange>,
  expected: Divergence["expected"]
): Divergence => ({
  step,
  requests: exchanges.map(({ request }) => request),
  expected,
  got: exchanges.map(({ seen }) => seen)
})

/** Sends a request to the service. */
const askSubject = Effect.fnUntraced(function* (run: Run, request: Request) {
  run.requests++
  return { request, seen: yield* run.subject.perform(request) }
})

/** Replaces the known world. Permissions are read from the oracle: what becomes of those of invitations is a rule. */
const learn = Effect.fnUntraced(function* (run: Run, world: World) {
  const organizations = yield* Effect.forEach(world.organizations, (one) =>
    Effect.map(run.expected.oracle.permissionsIn(one.label), (permissions) => ({ ...one, permissions }))
  )
  run.world = { ...world, organizations }
})

/** Sends one request to both services; returns the divergence, if any. */
const askOne = Effect.fnUntraced(function* (run: Run, step: number, request: Request, states = coveredBy) {
  const { expected } = run
  const exchange = yield* askSubject(run, request)
  // A caller's own sign-in may give them the permission of an invitation.
  yield* expected.oracle.signIn(request.by)
  yield* learn(run, run.world)
  const before = run.world
  const reply = yield* answer(expected, request)
  if (!agrees(request, reply, exchange.seen, expected.pairs)) return divergenceAt(step, [exchange], [reply])
  const violation = violationOf(before, request, reply)
  if (violation !== undefined) return divergenceAt(step, [exchange], [violation])
  yield* learn(run, nextWorld(before, request, reply))
  for (const state of states(before, request, reply)) run.met.add(state)
  return undefined
})

/** Sends concurrent requests, then reads what they left. Returns the divergence if no order of them leads to the same answers. */
const askTogether = Effect.fnUntraced(function* (run: Run, step: number, requests: ReadonlyArray<Request>) {
  const { world, expected } = run
  const exchanges = yield* Effect.forEach(requests, (request) => askSubject(run, request), { concurrency: "unbounded" })
  const fail = Effect.fnUntraced(function* (some: ReadonlyArray<Exchange>) {
    return divergenceAt(step, some, yield* Effect.forEach(some, ({ request }) => answer(expected, request)))
  })
  const learnOrder = (order: ReadonlyArray<Linearized>) => {
    const after = order.reduce((before, one) => nextWorld(before, one.request, one.answer), world)
    return learn(run, after)
  }
  const back = yield* saved(expected)
  const found = yield* linearize(expected, world, exchanges)
  if (found === undefined) return yield* fail(exchanges)
  yield* learnOrder(found)
  // Answers may leave open which came last: what can be read afterwards does not.
  const traces = yield* Effect.forEach(tracesOf(run.world, requests, expected.wire), (request) =>
    askSubject(run, request)
  )
  const there = yield* expected.oracle.save
  let order: ReadonlyArray<Linearized> | undefined = found
  if (!(yield* confirmAll(expected, traces))) {
    yield* back
    order = yield* linearize(expected, world, exchanges, confirmAll(expected, traces))
    if (order === undefined) {
      yield* there
      return yield* fail([...exchanges, ...traces])
    }
    yield* learnOrder(order)
  }
  for (const state of coveredByRace(order)) run.met.add(state)
  return undefined
})

/** Reads from both services, and checks the invariants of the world. */
const audit = Effect.fnUntraced(function* (run: Run, step: number, requests: ReadonlyArray<Request>) {
  for (const request of requests) {
    const divergence = yield* askOne(run, step, request, statesOf)
    if (divergence !== undefined) return divergence
  }
  const [violation] = violationsOf(run.world)
  return violation === undefined ? undefined : divergenceAt(step, [], [violation])
})

/** Advances both clocks. */
const letPass = Effect.fnUntraced(function* (run: Run, milliseconds: number) {
  yield* run.subject.advance(milliseconds)
  yield* run.expected.oracle.advance(milliseconds)
  run.world = { ...run.world, now: run.world.now + milliseconds }
})

/** Sweeps both services. */
const sweep = Effect.fnUntraced(function* (run: Run) {
  yield* run.subject.sweep
  yield* run.expected.oracle.sweep
  const after = worldAfterSweep(run.world)
  if (after.stays.some(({ ended }, index) => ended !== run.world.stays[index]?.ended))
    run.met.add("state: stays abandoned")
  run.world = after
})

const perform = Effect.fnUntraced(function* (run: Run, step: number, command: Command, isLast: boolean) {
  let divergence: Divergence | undefined
  if (command._tag === "AdvanceClock") yield* letPass(run, command.milliseconds)
  else if (command._tag === "Sweep") yield* sweep(run)
  else if (command._tag === "Race") divergence = yield* askTogether(run, step, command.members)
  else divergence = yield* askOne(run, step, command)
  divergence ??= yield* audit(run, step, touchedBy(run.world, command))
  if (divergence !== undefined || !(isLast || (step + 1) % AUDIT_INTERVAL === 0)) return divergence
  // Everything recorded is due then.
  yield* letPass(run, LARGEST_INTERVAL)
  return (
    (yield* audit(run, step, everyFeed(run.world))) ??
    (isLast ? yield* audit(run, step, everyHistory(run.world)) : undefined) ??
    (yield* audit(run, step, everything(run.world)))
  )
})

const begin = ({ oracle, subject }: Compared) =>
  Effect.gen(function* () {
    const driver = yield* subject
    const expected = { oracle: yield* oracle, wire: driver.wire, pairs: new TokenPairs() }
    return { subject: driver, expected, world: EMPTY_WORLD, requests: 0, met: new Set<string>() } as Run
  })

/** Runs the given commands on new services; returns where they diverge, if they do. */
export const replay = (compared: Compared, commands: ReadonlyArray<Command>): Effect.Effect<Divergence | undefined> =>
  Effect.scoped(
    Effect.gen(function* () {
      const run = yield* begin(compared)
      for (const [step, command] of commands.entries()) {
        const divergence = yield* perform(run, step, command, step === commands.length - 1)
        if (divergence !== undefined) return divergence
      }
      return undefined
    })
  )

/** Runs `count` commands, each generated from the world so far. */
const runOnce = (compared: Compared, random: Random, count: number) =>
  Effect.scoped(
    Effect.gen(function* () {
      const run = yield* begin(compared)
      const history: Array<Command> = []
      for (let step = 0; step < count; step++) {
        const { world, subject } = run
        const command = generate({ random, world, history, label: `${step}`, wire: subject.wire })
        history.push(command)
        const divergence = yield* perform(run, step, command, step === count - 1)
        if (divergence !== undefined) return { run, history, divergence }
      }
      return { run, history, divergence: undefined }
    })
  )

/**
 * Runs random commands on a service and on the oracle, and compares every answer; after every step what it may have changed, and
 * everything that can be read now and then. Fails with the fewest commands found that still diverge.
 */
export const checkModel = Effect.fnUntraced(function* ({
  seed,
  commands,
  shrinkTries = 300,
  ...compared
}: ModelOptions): Effect.fn.Return<ModelReport, ModelDivergence> {
  const met = new Map<string, number>()
  let requests = 0
  let wire = false
  for (let run = 0, passed = 0; passed < commands; run++) {
    const count = Math.min(COMMANDS_PER_RUN, commands - passed)
    const { run: ended, history, divergence } = yield* runOnce(compared, Random.of(seed, run), count)
    if (divergence !== undefined) {
      const smallest = yield* shrink(history, divergence, shrinkTries, (fewer) => replay(compared, fewer))
      return yield* new ModelDivergence({
        seed,
        run,
        commands: smallest.commands,
        divergence: smallest.failure,
        passed: passed + divergence.step
      })
    }
    for (const state of ended.met) met.set(state, (met.get(state) ?? 0) + 1)
    requests += ended.requests
    wire = ended.subject.wire
    passed += count
  }
  return { commands, requests, runs: Math.floor(commands / COMMANDS_PER_RUN), met, wire }
})
