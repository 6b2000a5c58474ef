/** Finds the worlds of the model that give the answers of the service. */
import type { Request } from "./commands.ts"
import { agrees, done, isDone, type Seen } from "./outcomes.ts"
import { musterAnswer } from "./rules/musters.ts"
import { signIn } from "./rules/permissions.ts"
import { run } from "./rules/run.ts"
import { stateOf } from "./stateOf.ts"
import { statusOf } from "./statuses.ts"
import { copyOf, type World } from "./World.ts"

/** A request and what it was answered. */
export interface Exchange {
  readonly request: Request
  readonly seen: Seen
}

/** How many steps are tried at most. A few requests at one moment take some hundred. */
const MOST_TRIES = 20_000

/** A part of a request: the account of its caller, its change, the reading of its answer after the change, or both in one step. */
interface Step extends Exchange {
  readonly part: "account" | "change" | "answer" | "both"
  /** The step of the same request that comes before it. */
  readonly after: Step | undefined
}

/** Whether a request changes accounts before it does anything else. */
const changesAccounts = (world: World, { by }: Request): boolean => {
  if (by.kind !== "administrator") return false
  const signedIn = copyOf(world)
  signIn(signedIn, by)
  return stateOf(signedIn) !== stateOf(world)
}

/**
 * The steps of a request; other requests of the same moment may come in between. The account of a caller is made or changed first. A
 * muster is changed and then read for the answer (`MusterStore`).
 */
const stepsOf = (worlds: ReadonlyArray<World>, exchange: Exchange): ReadonlyArray<Step> => {
  const { request, seen } = exchange
  const isReadAfterwards = "muster" in request && request._tag !== "ReadMuster" && isDone(seen)
  const parts: ReadonlyArray<Step["part"]> = isReadAfterwards ? ["change", "answer"] : ["both"]
  const isSignedInBefore = worlds.some((world) => changesAccounts(world, request))
  const steps: Array<Step> = []
  for (const part of isSignedInBefore ? (["account", ...parts] as const) : parts) {
    steps.push({ ...exchange, part, after: steps.at(-1) })
  }
  return steps
}

/** The world after a step whose request was answered as expected in it; nothing when it was not. */
const follow = (world: World, { request, seen, part }: Omit<Step, "after">): World | undefined => {
  const next = copyOf(world)
  if (part === "account") {
    signIn(next, request.by)
    return next
  }
  const expected =
    part === "answer" && "muster" in request ? done(musterAnswer(next, request.muster)) : run(next, request)
  const compared = part === "change" ? { ...expected, value: seen.value } : expected
  return agrees(next, compared, seen, (name) => statusOf(request._tag, name)) ? next : undefined
}

/** The worlds after requests that came one after the other, each answered as expected. */
export const follows = (worlds: ReadonlyArray<World>, exchanges: ReadonlyArray<Exchange>): ReadonlyArray<World> =>
  exchanges.reduce(
    (left, exchange) => left.flatMap((world) => follow(world, { ...exchange, part: "both" }) ?? []),
    worlds
  )

/**
 * The worlds that requests at one moment may have led to, each once: for each there is an order in which every request was answered as
 * expected, as if they had come one after the other (linearizable). `worlds` are those before the requests.
 */
export function* explain(worlds: ReadonlyArray<World>, exchanges: ReadonlyArray<Exchange>): Generator<World> {
  if (exchanges.length === 1) return yield* follows(worlds, exchanges)
  const steps = exchanges.flatMap((exchange) => stepsOf(worlds, exchange))
  let tries = 0
  const reached = new Set<string>()
  const search = function* (world: World, open: ReadonlyArray<Step>): Generator<World> {
    // Most orders of the same steps lead to one state.
    const state = `${open.map((step) => steps.indexOf(step))} ${stateOf(world)}`
    if (reached.has(state)) return
    reached.add(state)
    if (open.length === 0) return yield world
    for (const step of open) {
      if (step.after !== undefined && open.includes(step.after)) continue
      if (++tries > MOST_TRIES)
        throw new Error(`${exchanges.length} requests at one moment have too many orders to try`)
      const next = follow(world, step)
      if (next === undefined) continue
      yield* search(
        next,
        open.filter((other) => other !== step)
      )
    }
  }
  for (const world of worlds) yield* search(world, steps)
}
