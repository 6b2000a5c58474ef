/** Runs commands on the model and a service, and shrinks the first difference to a short run that can be replayed. */
import * as Data from "effect/Data"
import * as Effect from "effect/Effect"
import { countersTouchedBy, everyFeed, everyHistory, everyMuster, everything, tracesOf } from "./audit.ts"
import type { Command, Request } from "./commands.ts"
import type { Driver, StartDriver } from "./Driver.ts"
import { type Exchange, explain, follows } from "./explain.ts"
import { generate } from "./generate/generate.ts"
import { type Outcome, refused, type Seen } from "./outcomes.ts"
import { Random } from "./Random.ts"
import { unjustified } from "./rules/permissions.ts"
import { sweep } from "./rules/policies.ts"
import { run as answer } from "./rules/run.ts"
import { shrink } from "./shrink.ts"
import { marksOfRace, type StatesMet } from "./sometimes.ts"
import { copyOf, emptyWorld, type World } from "./World.ts"

/** How many commands are in a run; each run starts a service of its own. */
const COMMANDS_PER_RUN = 250

/** The largest grain of events of the model, in milliseconds. */
const LARGEST_GRAIN = 60_000

/** Everything is read after so many steps, and at the end of a run. */
const AUDIT_INTERVAL = 50

export interface ModelOptions {
  readonly seed: number
  /** How many commands in all. */
  readonly commands: number
  /** How many runs a failure may be shrunk with. */
  readonly shrinkTries?: number | undefined
}

/** What a check did. */
export interface ModelReport extends StatesMet {
  readonly commands: number
  readonly requests: number
}

/** A service that answered other than the model: what, where, and the fewest commands that show it, as JSON to replay. */
export interface Divergence {
  readonly step: number
  readonly requests: ReadonlyArray<Request>
  readonly expected: ReadonlyArray<Outcome>
  readonly got: ReadonlyArray<Seen>
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
      `the service answered other than the model (seed ${this.seed}, run ${this.run}, after ${this.passed} commands)`,
      `at step ${step} of ${this.commands.length}:`,
      ...requests.map((request, index) =>
        [
          `  asked     ${JSON.stringify(request)}`,
          `  expected  ${JSON.stringify(expected[index])}${requests.length > 1 ? " (or as in another order)" : ""}`,
          `  got       ${JSON.stringify(got[index])}`
        ].join("\n")
      ),
      `replay: ${JSON.stringify(this.commands)}`
    ].join("\n")
  }
}

interface Run {
  readonly driver: Driver
  /** Every world that explains the answers so far: at least one, and more while a race leaves its order open. */
  worlds: ReadonlyArray<World>
  requests: number
  readonly met: Set<string>
}

/** Copies of the worlds, to note what the next step meets. */
const withoutMarks = (worlds: ReadonlyArray<World>): ReadonlyArray<World> =>
  worlds.map((world) => ({ ...copyOf(world), marks: [] }))

/** The world that the next step is chosen by. */
const likely = ({ worlds }: Run): World => worlds[0] as World

/** Asks the service at one moment; answers what cannot be explained. */
const ask = Effect.fnUntraced(function* (
  run: Run,
  step: number,
  requests: ReadonlyArray<Request>,
  met: Set<string> = run.met
) {
  run.requests += requests.length
  const got = yield* Effect.all(requests.map(run.driver.perform), { concurrency: "unbounded" })
  const before = withoutMarks(run.worlds)
  const asked = requests.map((request, index): Exchange => ({ request, seen: got[index] as Seen }))
  const [found] = explain(before, asked)
  // Answers may leave open which came last: most of what can be read afterwards does not.
  const traces: Array<Exchange> = []
  if (found !== undefined && requests.length > 1) {
    for (const request of tracesOf(found, requests)) traces.push({ request, seen: yield* run.driver.perform(request) })
  }
  const after = [...explain(before, asked)].flatMap((world) => follows([world], traces))
  run.requests += traces.length
  if (after[0] === undefined) {
    const world = copyOf(before[0] as World)
    const exchanges = [...asked, ...traces]
    return {
      step,
      requests: exchanges.map(({ request }) => request),
      expected: exchanges.map(({ request }) => answer(world, request)),
      got: exchanges.map(({ seen }) => seen)
    } satisfies Divergence
  }
  run.worlds = after
  for (const mark of after[0].marks) met.add(mark)
  if (requests.length > 1) for (const mark of marksOfRace(requests, got)) met.add(mark)
  return undefined
})

/**
 * Finds permissions without a justification, in a world that all answers agree with. It would find a fault that the rules of the
 * model share with the service.
 */
const overreach = (world: World, step: number): Divergence | undefined => {
  const found = unjustified(world)
  if (found.length === 0) return undefined
  return {
    step,
    requests: found.map(({ organization }) => ({ _tag: "ListPermissions", by: { kind: "nobody" }, organization })),
    expected: found.map(() => refused("no such permission: neither its id nor an address of it was named")),
    got: found.map((value) => ({ name: "Done", value, tokens: [] }))
  }
}

/** Asks for what a step may have changed, without counting what it meets. */
const audit = Effect.fnUntraced(function* (run: Run, step: number, requests: ReadonlyArray<Request>) {
  for (const request of requests) {
    const divergence = yield* ask(run, step, [request], new Set())
    if (divergence !== undefined) return divergence
  }
  return undefined
})

/** Lets time pass on the service's clock and in the model. */
const letPass = Effect.fnUntraced(function* (run: Run, milliseconds: number) {
  yield* run.driver.advance(milliseconds)
  run.worlds = run.worlds.map((world) => ({ ...world, now: world.now + milliseconds }))
})

const perform = Effect.fnUntraced(function* (run: Run, step: number, command: Command, isLast: boolean) {
  if (command._tag === "AdvanceClock") {
    yield* letPass(run, command.milliseconds)
  } else if (command._tag === "Sweep") {
    yield* run.driver.sweep
    run.worlds = withoutMarks(run.worlds)
    for (const world of run.worlds) sweep(world)
    for (const mark of likely(run).marks) run.met.add(mark)
  } else {
    const divergence = yield* ask(run, step, command._tag === "Race" ? command.members : [command])
    if (divergence !== undefined) return divergence
  }
  const all = isLast || (step + 1) % AUDIT_INTERVAL === 0
  const divergence = overreach(likely(run), step) ?? (yield* audit(run, step, countersTouchedBy(likely(run), command)))
  if (divergence !== undefined || !all) return divergence
  if (!run.driver.feed) return yield* audit(run, step, everything(likely(run)))
  // Everything recorded is due then.
  yield* letPass(run, LARGEST_GRAIN)
  return (
    (yield* audit(run, step, [...everyFeed(likely(run)), ...everyMuster(likely(run))])) ??
    (isLast ? yield* audit(run, step, everyHistory(likely(run))) : undefined) ??
    (yield* audit(run, step, everything(likely(run))))
  )
})

const begin = (start: StartDriver): Effect.Effect<Run, never, Effect.Services<StartDriver>> =>
  Effect.map(start, (driver) => ({ driver, worlds: [emptyWorld()], requests: 0, met: new Set<string>() }))

/** Runs these very commands on a new service; answers where it diverges from the model, if it does. */
export const replay = (start: StartDriver, commands: ReadonlyArray<Command>): Effect.Effect<Divergence | undefined> =>
  Effect.scoped(
    Effect.gen(function* () {
      const run = yield* begin(start)
      for (const [step, command] of commands.entries()) {
        const divergence = yield* perform(run, step, command, step === commands.length - 1)
        if (divergence !== undefined) return divergence
      }
      return undefined
    })
  )

/** One run of so many commands, chosen as the world goes. */
const runOnce = (start: StartDriver, random: Random, count: number) =>
  Effect.scoped(
    Effect.gen(function* () {
      const run = yield* begin(start)
      const history: Array<Command> = []
      for (let step = 0; step < count; step++) {
        const label = `${step}`
        const command = generate({
          random,
          world: likely(run),
          history,
          label,
          wire: run.driver.wire,
          feed: run.driver.feed
        })
        history.push(command)
        const divergence = yield* perform(run, step, command, step === count - 1)
        if (divergence !== undefined) return { run, history, divergence }
      }
      return { run, history, divergence: undefined }
    })
  )

/**
 * Runs random commands against a service and against the model, and compares every answer; after every step the counters
 * that it touched, and everything that can be read now and then. Fails with the fewest commands found that still diverge.
 */
export const checkModel = Effect.fnUntraced(function* (
  start: StartDriver,
  { seed, commands, shrinkTries = 300 }: ModelOptions
): Effect.fn.Return<ModelReport, ModelDivergence> {
  const met = new Map<string, number>()
  let requests = 0
  let wire = false
  for (let run = 0, passed = 0; passed < commands; run++) {
    const count = Math.min(COMMANDS_PER_RUN, commands - passed)
    const { run: ended, history, divergence } = yield* runOnce(start, Random.of(seed, run), count)
    if (divergence !== undefined) {
      const smallest = yield* shrink(history, divergence, shrinkTries, (fewer) => replay(start, fewer))
      return yield* new ModelDivergence({
        seed,
        run,
        commands: smallest.commands,
        divergence: smallest.failure,
        passed: passed + divergence.step
      })
    }
    for (const mark of ended.met) met.set(mark, (met.get(mark) ?? 0) + 1)
    requests += ended.requests
    wire = ended.driver.wire
    passed += count
  }
  return { commands, requests, runs: Math.floor(commands / COMMANDS_PER_RUN), met, wire }
})
