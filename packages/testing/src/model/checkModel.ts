/** Sends random commands to a service and to the oracle, and shrinks the first difference to a short run that can be replayed. */
import { Cause, Data, Effect, Exit } from "effect"
import * as fc from "fast-check"
import type { Driver, StartDriver, StartOracle } from "./Driver.ts"
import { Draw } from "./Draw.ts"
import { type Choose, COMMANDS, SETUP, type Step, stepOf } from "./generate/commands.ts"
import {
  counter,
  historiesOf,
  readerOf,
  listOwnPermissions,
  listRequests,
  readsOf,
  readsOfAll
} from "./generate/reads.ts"
import { deliver, mark, publish, readMuster } from "./generate/presence.ts"
import { listFavorites } from "./generate/people.ts"
import { ADMINISTRATORS, PEOPLE, USERS } from "./generate/subjects.ts"
import { confirmAll, type Exchange, type Expected, linearize, save } from "./linearize.ts"
import { Partners } from "./Partners.ts"
import { type Answer, refsIn, type Request } from "./Request.ts"
import { EMPTY_WORLD, everyPremises, type KnownOrganization, organizationAt, type World, worldAfter } from "./World.ts"

/** How many commands a run has at most, and how many furnish its world first. */
const COMMANDS_PER_RUN = 500
const SETUP_COMMANDS = 48

/** How many choices are drawn for a command. */
const CHOICES = 16

/** Everything is read after so many steps, and at the end of a run. */
const AUDIT_INTERVAL = 50

/** The largest publishing interval of a run, in milliseconds: everything recorded is due then. */
const LARGEST_INTERVAL_MS = 60_000

export interface ModelOptions {
  readonly oracle: StartOracle
  readonly subject: StartDriver
  readonly seed: number
  /** About how many commands in all. */
  readonly commands: number
  /** How many runs a failure may be shrunk with. */
  readonly shrinkTries?: number | undefined
  /** What a failure printed, to run its commands alone. */
  readonly replay?: { readonly path: string; readonly replayPath: string } | undefined
}

/** What a check did: how many commands, and how often each request was answered in each way. */
export interface ModelReport {
  readonly commands: number
  readonly requests: number
  readonly met: ReadonlyMap<string, number>
}

/** A step at which a service answered differently from the oracle. */
class Difference extends Error {
  constructor(exchanges: ReadonlyArray<Exchange>, expected: ReadonlyArray<Answer | string>) {
    super(
      exchanges
        .map(({ request, seen }, nth) =>
          [
            `  request   ${print(request)}`,
            `  expected  ${print(expected[nth])}${exchanges.length > 1 ? " (or as in another order)" : ""}`,
            `  got       ${print(seen)}`
          ].join("\n")
        )
        .join("\n")
    )
  }
}

const print = (value: unknown): string =>
  JSON.stringify(value, (_, field: unknown) => (typeof field === "bigint" ? String(field) : field))

export class ModelDivergence extends Data.TaggedError("ModelDivergence")<{
  readonly seed: number
  readonly replay: { readonly path: string; readonly replayPath: string }
  /** How many commands in all had passed before the first failure. */
  readonly passed: number
  /** The shortest run that was found, step by step, and where the service differed. */
  readonly steps: ReadonlyArray<string>
  readonly difference: string
}> {
  override get message(): string {
    return [
      `the service answered other than the oracle, after ${this.passed} commands:`,
      this.difference,
      `after ${this.steps.length} steps:`,
      ...this.steps.map((step) => `  ${step}`),
      `replay: ${JSON.stringify({ seed: this.seed, ...this.replay })}`
    ].join("\n")
  }
}

/** What all runs of a check add to. */
interface Tally {
  commands: number
  requests: number
  readonly met: Map<string, number>
}

/** Readings change nothing. */
const isReading = ({ name }: Request): boolean => /^(Read|List|Ask)/.test(name)

/** One run: a service and the oracle, and what is known of them. */
class Run {
  world: World = EMPTY_WORLD
  readonly steps: Array<string> = []
  private readonly expected: Expected
  private readonly subject: Driver
  private readonly tally: Tally
  private readonly together: <A>(concurrent: Effect.Effect<A>) => Effect.Effect<A>

  constructor(expected: Expected, subject: Driver, tally: Tally, together: Run["together"]) {
    this.expected = expected
    this.subject = subject
    this.tally = tally
    this.together = together
  }

  /** Takes the step that a kind of command chooses. */
  readonly take = (choose: Choose, draw: Draw): Effect.Effect<void> =>
    Effect.gen({ self: this }, function* () {
      const step = stepOf(choose, draw, this.world)
      this.tally.commands++
      this.steps.push(print(step))
      yield* this.perform(step)
      if (this.steps.length % AUDIT_INTERVAL === 0) yield* this.audit({ isLast: false })
    })

  private readonly perform = (step: Step): Effect.Effect<void> =>
    Effect.gen({ self: this }, function* () {
      if (step._tag === "Wait") return yield* this.wait(step.milliseconds)
      if (step._tag === "Sweep") {
        yield* Effect.andThen(this.subject.sweep, this.expected.oracle.sweep)
        return yield* this.readTouched([], this.world.organizations)
      }
      const requests = step.requests.filter(({ name }) => name !== "Deliver" || this.subject.delivers)
      const touched = this.touchedBy(requests)
      const [first] = requests
      if (first === undefined) return
      yield* requests.length === 1 ? this.ask(first) : this.askTogether(requests, touched)
      if (requests.length > 1 || !isReading(first)) yield* this.readTouched(requests, touched)
    })

  private send(request: Request): Effect.Effect<Exchange> {
    return Effect.suspend(() => {
      this.tally.requests++
      return Effect.map(this.subject.perform(request, this.expected.partners.translate(request.args)), (seen) => ({
        request,
        seen
      }))
    })
  }

  private count({ name }: Request, answer: Answer): void {
    const state = `${name}: ${answer.name}`
    this.tally.met.set(state, (this.tally.met.get(state) ?? 0) + 1)
  }

  private learn(request: Request, answer: Answer) {
    this.count(request, answer)
    // Users change links alone.
    const isOfStays = request.by._tag === "User" && !/^(L|Unl)ink$/.test(request.name)
    const known = isOfStays ? Effect.succeed(this.world.organizations) : this.expected.oracle.organizations
    return Effect.map(known, (organizations) => {
      this.world = worldAfter(this.world, organizations, request, answer)
      for (const { ref, permissions, links } of organizations) {
        if (!permissions.some(({ level }) => level === "owner")) throw new Error(`${print(ref)} has no owner`)
        if (new Set(links.map(({ person }) => person)).size < links.length)
          throw new Error(`two users are one person in ${print(ref)}`)
      }
    })
  }

  readonly ask = (request: Request) =>
    Effect.gen({ self: this }, function* () {
      const exchange = yield* this.send(request)
      yield* this.expected.oracle.signIn(request.by)
      const answer = yield* this.expected.oracle.ask(request)
      if (!this.expected.partners.agree(request, answer, exchange.seen)) throw new Difference([exchange], [answer])
      if (isReading(request)) this.count(request, answer)
      else yield* this.learn(request, answer)
    })

  /** Sends requests of one moment, and reads what they left: answers may leave open which came last. */
  private readonly askTogether = (requests: ReadonlyArray<Request>, touched: ReadonlyArray<KnownOrganization>) =>
    Effect.gen({ self: this }, function* () {
      const { expected } = this
      const sent = Effect.forEach(requests, (request) => this.send(request), { concurrency: "unbounded" })
      const exchanges = yield* this.together(sent)
      const restore = yield* save(expected)
      const before = this.world
      /** What the oracle answers in the order in which the requests stand, and the first of the readings after them that differs. */
      const fail = Effect.fnUntraced(function* (traces: ReadonlyArray<Exchange>) {
        yield* restore
        const all: Array<Exchange> = [...exchanges]
        const answers = yield* Effect.forEach(exchanges, ({ request }) => expected.oracle.ask(request))
        for (const trace of traces) {
          const answer = yield* expected.oracle.ask(trace.request)
          if (expected.partners.agree(trace.request, answer, trace.seen)) continue
          all.push(trace)
          answers.push(answer)
          break
        }
        throw new Difference(all, answers)
      })
      const first = yield* linearize(expected, before.now, exchanges, Effect.succeed(true))
      if (first === undefined) return yield* fail([])
      for (const { request, answer } of first) yield* this.learn(request, answer)
      const traces = yield* Effect.forEach(this.tracesOf(requests, touched), (request) => this.send(request))
      const confirmed = confirmAll(expected, traces, expected.partners.copy())
      if (yield* confirmed) return
      yield* restore
      const other = yield* linearize(expected, before.now, exchanges, confirmed)
      if (other === undefined) return yield* fail(traces)
      this.world = before
      for (const { request, answer } of other) yield* this.learn(request, answer)
    })

  /** The organizations that requests may change. */
  private touchedBy(requests: ReadonlyArray<Request>): ReadonlyArray<KnownOrganization> {
    const { organizations } = this.world
    if (requests.some(({ name }) => name === "Erase")) return organizations
    const refs = requests.flatMap(({ args }) => refsIn(args))
    return organizations.filter((one) =>
      [one.ref, ...one.places, ...one.musters.map(({ ref }) => ref), ...one.webhooks].some((own) =>
        refs.some(({ kind, id }) => kind === own.kind && id === own.id)
      )
    )
  }

  private stillThere(some: ReadonlyArray<KnownOrganization>): ReadonlyArray<KnownOrganization> {
    return some.flatMap(({ ref }) => organizationAt(this.world, { organization: ref }) ?? [])
  }

  /**
   * What requests of one moment may have left in more than one way. Whether people came in before a muster began is seen when they are
   * marked, and with which event a webhook begins when it is delivered for.
   */
  private tracesOf(
    requests: ReadonlyArray<Request>,
    touched: ReadonlyArray<KnownOrganization>
  ): ReadonlyArray<Request> {
    const has = (name: string) => requests.some((one) => one.name === name)
    const organizations = this.stillThere(touched)
    const reads = readsOf(organizations)
    return [
      ...reads,
      ...(!has("StartMuster") || !has("Enter")
        ? []
        : organizations.flatMap((one) =>
            one.musters
              .filter(({ isOpen, mode }) => isOpen && mode === "authenticated")
              .map(({ ref }) => mark(readerOf(one), ref, PEOPLE))
          )),
      ...(has("RequestDeletion") || has("Decide") ? [listRequests()] : []),
      ...(has("AddFavorite") ? USERS.map((user) => listFavorites(user)) : []),
      ...(has("CreateWebhook") && this.subject.delivers ? [deliver("one", "delivered")] : [])
    ]
  }

  /** Reads the counters and the open musters of what was touched. */
  private readTouched(
    requests: ReadonlyArray<Request>,
    touched: ReadonlyArray<KnownOrganization>
  ): Effect.Effect<void> {
    const isOfFeed = requests.some(({ name }) => name === "SetCapacity" || name === "Publish")
    const reads = this.stillThere(touched).flatMap((one) => {
      const by = readerOf(one)
      return [
        ...everyPremises(one).map((where) => counter(by, where)),
        ...one.musters.filter(({ isOpen }) => isOpen).map(({ ref }) => readMuster(by, ref)),
        ...(isOfFeed ? readsOf([one]).slice(0, 1) : [])
      ]
    })
    return Effect.forEach(reads, this.ask, { discard: true })
  }

  private wait(milliseconds: number): Effect.Effect<void> {
    this.world = { ...this.world, now: this.world.now + milliseconds }
    return Effect.andThen(this.subject.advance(milliseconds), this.expected.oracle.advance(milliseconds))
  }

  /** Reads everything once all that was recorded is due; histories at the end. */
  audit({ isLast }: { readonly isLast: boolean }): Effect.Effect<void> {
    const reads = Effect.suspend(() => {
      const { organizations, now } = this.world
      return Effect.forEach(
        [...readsOf(organizations), ...readsOfAll(this.world), ...(isLast ? historiesOf(organizations, now) : [])],
        this.ask,
        { discard: true }
      )
    })
    return Effect.suspend(() =>
      Effect.andThen(this.wait(LARGEST_INTERVAL_MS), Effect.andThen(this.ask(publish()), reads))
    )
  }
}

const messageOf = (cause: Cause.Cause<unknown>): unknown => {
  const error = Cause.squash(cause)
  return error instanceof Error ? error.message : error
}

class Command implements fc.AsyncCommand<object, Run> {
  private readonly choose: Choose
  private readonly numbers: ReadonlyArray<number>

  constructor(choose: Choose, numbers: ReadonlyArray<number>) {
    this.choose = choose
    this.numbers = numbers
  }
  check(): boolean {
    return true
  }
  run(_: object, run: Run): Promise<void> {
    return Effect.runPromise(run.take(this.choose, new Draw(this.numbers)))
  }
  toString(): string {
    return "command"
  }
}

/** A command of one of these kinds, with numbers to choose by when it runs. Only leaving it out makes a run simpler. */
const commandOf = (kinds: ReadonlyArray<readonly [weight: number, choose: Choose]>): fc.Arbitrary<Command> =>
  fc.noShrink(
    fc
      .tuple(
        fc.oneof(...kinds.map(([weight, choose]) => ({ weight, arbitrary: fc.constant(choose) }))),
        fc.array(fc.noBias(fc.nat()), { minLength: CHOICES, maxLength: CHOICES })
      )
      .map(([choose, numbers]) => new Command(choose, numbers))
  )

/**
 * Sends random commands to a service and to the oracle, and compares every answer; after every step what it may have changed, and
 * everything that can be read now and then. Fails with the fewest commands found that still diverge.
 */
export const checkModel = Effect.fnUntraced(function* ({
  oracle,
  subject,
  seed,
  commands,
  shrinkTries = 300,
  replay
}: ModelOptions): Effect.fn.Return<ModelReport, ModelDivergence> {
  const tally: Tally = { commands: 0, requests: 0, met: new Map() }
  let passed = 0
  let tries: number | undefined
  let last: { readonly steps: ReadonlyArray<string>; readonly difference: string } | undefined

  const runAll = Effect.fnUntraced(function* (
    all: Iterable<Command | fc.AsyncCommand<object, Run, boolean>>,
    scheduler: fc.Scheduler
  ) {
    let isConcurrent = false
    const pause = Effect.suspend(() =>
      isConcurrent ? Effect.promise(() => scheduler.schedule(Promise.resolve())) : Effect.void
    )
    const together = <A>(concurrent: Effect.Effect<A>): Effect.Effect<A> =>
      Effect.suspend(() => {
        isConcurrent = true
        return Effect.promise(() => scheduler.waitFor(Effect.runPromise(concurrent)))
      }).pipe(Effect.ensuring(Effect.sync(() => void (isConcurrent = false))))
    const expected = { oracle: yield* oracle, partners: new Partners() }
    const run = new Run(expected, yield* subject(pause), tally, together)
    const execution = Effect.gen(function* () {
      // Every administrator has an account from here on.
      yield* Effect.forEach(ADMINISTRATORS, (by) => run.ask(listOwnPermissions(by)), { discard: true })
      yield* Effect.promise(() => fc.asyncModelRun(() => ({ model: {}, real: run }), all))
      yield* run.audit({ isLast: true })
    })
    return yield* Effect.onExit(execution, (exit) =>
      Effect.sync(() => {
        if (Exit.isFailure(exit)) last = { steps: run.steps, difference: String(messageOf(exit.cause)) }
      })
    )
  }, Effect.scoped)

  const setup = fc.noBias(fc.array(commandOf(SETUP), { maxLength: SETUP_COMMANDS, size: "max" }))
  const rest = fc.noBias(
    fc.commands([commandOf(COMMANDS)], {
      maxCommands: COMMANDS_PER_RUN,
      size: "max",
      ...(replay && { replayPath: replay.replayPath })
    })
  )
  const property = fc.asyncProperty(setup, rest, fc.scheduler(), (first, then, scheduler) => {
    // Enough was tried, or enough to make a failure shorter.
    if (tries === undefined ? tally.commands >= commands : tries-- <= 0) return Promise.resolve()
    const failed = Effect.sync(() => {
      if (tries !== undefined) return
      passed = tally.commands
      tries = shrinkTries
    })
    return Effect.runPromise(Effect.onError(runAll([...first, ...then], scheduler), () => failed))
  })
  const numRuns = Math.ceil((4 * commands) / COMMANDS_PER_RUN) + 4
  const result = yield* Effect.promise(() =>
    Promise.resolve(fc.check(property, { seed, numRuns, ...(replay && { path: replay.path }) }))
  )
  if (!result.failed) return tally
  return yield* new ModelDivergence({
    seed,
    replay: {
      path: result.counterexamplePath!,
      replayPath: /replayPath="([^"]*)"/.exec(String(result.counterexample![1]))?.[1] ?? ""
    },
    passed,
    ...last!
  })
})
