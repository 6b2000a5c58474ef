/** Linearizability: finds an order of concurrent requests in which the oracle gives the same answers. */
import * as Effect from "effect/Effect"
import type { Request } from "./commands.ts"
import type { Oracle } from "./Driver.ts"
import { SKIPPED } from "./driver/serveFeed.ts"
import { agrees, type Answer, isDone, sameJson, type Observed, type TokenPairs } from "./outcomes.ts"
import { isAdmitted } from "./statuses.ts"
import type { World } from "./World.ts"

/** A request, what it was answered, and what the oracle answers it. */
export interface Exchange {
  readonly request: Request
  readonly seen: Observed
}
export interface Linearized extends Exchange {
  readonly answer: Answer
}

/** The service that is compared with: the oracle, and the tokens that both have answered. */
export interface Expected {
  readonly oracle: Oracle
  readonly wire: boolean
  pairs: TokenPairs
}

const refused = (name: string): Answer => ({ name, tokens: [] })

/** What the wire checks before a use case runs. */
const refusedByWire = ({ wire }: Expected, request: Request): Answer | undefined => {
  const { by } = request
  if (!wire) return undefined
  if (by.kind === "unauthenticated" || by.kind === "invalidToken") return refused("NotAuthenticated")
  if (!isAdmitted(by.kind, request._tag)) return refused("WrongKind")
  const isOther = request._tag === "ListOwnPermissions" && request.administrator !== by.id
  return isOther ? refused("PermissionsOfAnother") : undefined
}

const serve = (expected: Expected, request: Request): Effect.Effect<Answer> => {
  const refusal = refusedByWire(expected, request)
  return refusal === undefined ? expected.oracle.serve(request) : Effect.succeed(refusal)
}

/** What the oracle answers. */
export const answer = (expected: Expected, request: Request): Effect.Effect<Answer> =>
  Effect.andThen(expected.oracle.signIn(request.by), serve(expected, request))

/** What the oracle answers, if the service answered the same. */
const confirm = (expected: Expected, { request, seen }: Exchange, answering: Effect.Effect<Answer>) =>
  Effect.map(answering, (reply) => (agrees(request, reply, seen, expected.pairs) ? reply : undefined))

/** Asks for all of this, one after the other, and says whether the oracle answers the same. */
export const confirmAll = Effect.fnUntraced(function* (expected: Expected, exchanges: ReadonlyArray<Exchange>) {
  for (const exchange of exchanges) {
    if ((yield* confirm(expected, exchange, answer(expected, exchange.request))) === undefined) return false
  }
  return true
})

/** A part of a request: what it does on the oracle, answered with nothing where the service cannot have answered as it did. */
interface Step extends Exchange {
  readonly take: Effect.Effect<Answer | undefined>
  /** The step of the same request that comes before it. */
  readonly after: Step | undefined
}

/** What changes accounts, so that it matters when a caller signed in. */
const OF_ACCOUNTS: ReadonlyArray<Request["_tag"]> = ["CreateOrganization", "Register", "Bind", "Create", "Erase"]

/** Is the account of a caller made or changed, perhaps, by the sign-in of this request? */
const mayChangeAccount = ({ proofs }: World, { by }: Request, requests: ReadonlyArray<Request>): boolean =>
  by.kind === "administrator" &&
  (requests.some(({ _tag }) => OF_ACCOUNTS.includes(_tag)) ||
    (by.mail !== undefined && !proofs.some(({ administrator, mail }) => administrator === by.id && mail === by.mail)))

const DONE: Answer = { name: "Done", tokens: [] }

/** Did a driver perhaps publish more than once? Where the next of what is left may be published soon, the two cases look the same. */
const isRepeated = ({ now }: World, { request, seen }: Exchange): boolean => {
  const { nextAt = Infinity } = (seen.value ?? {}) as { readonly nextAt?: number }
  return request._tag === "Publish" && nextAt - now <= SKIPPED
}

/**
 * The steps of a request, which others of the same moment may come between: the account of a caller is made first; a muster is
 * changed, and then read for the answer; some events are published, and then others.
 */
const stepsOf = (
  expected: Expected,
  world: World,
  exchange: Exchange,
  all: ReadonlyArray<Exchange>
): ReadonlyArray<Step> => {
  const { request, seen } = exchange
  const { oracle } = expected
  const serving = serve(expected, request)
  const requests = all.map((one) => one.request)
  const isReport = "muster" in request && request._tag !== "ReadMuster" && isDone(seen)
  const isSeparate = mayChangeAccount(world, request, requests)
  const served = isSeparate ? serving : Effect.andThen(oracle.signIn(request.by), serving)
  const parts = [
    ...(isSeparate ? [Effect.as(oracle.signIn(request.by), DONE)] : []),
    ...(isRepeated(world, exchange) ? [Effect.as(serving, DONE)] : []),
    ...(isReport
      ? [
          Effect.map(served, (reply) => (reply.name === "Done" ? reply : undefined)),
          Effect.map(oracle.serve({ _tag: "ReadMuster", by: request.by, muster: request.muster }), (reply) =>
            sameJson(reply.value, seen.value) ? reply : undefined
          )
        ]
      : [confirm(expected, exchange, served)])
  ]
  const steps: Array<Step> = []
  for (const take of parts) steps.push({ ...exchange, take, after: steps.at(-1) })
  return steps
}

/** How many steps are tried at most: four requests have 24 orders, and more where they have several steps. */
const MAX_TRIED_STEPS = 20_000

/**
 * Finds an order of requests of one moment in which the oracle answers each as the service did (linearizable), and `isConfirmed` after
 * them. The oracle is then in the state that they lead to, else in that from before. Answers the exchanges in this order.
 */
export const linearize = Effect.fnUntraced(function* (
  expected: Expected,
  world: World,
  exchanges: ReadonlyArray<Exchange>,
  isConfirmed: Effect.Effect<boolean> = Effect.succeed(true)
): Effect.fn.Return<ReadonlyArray<Linearized> | undefined> {
  const steps = exchanges.flatMap((exchange) => stepsOf(expected, world, exchange, exchanges))
  let tries = 0
  /** Tries the orders of what is left. Where none of them fits, the state is any: the caller puts it back. */
  const search = Effect.fnUntraced(function* (
    open: ReadonlyArray<Step>,
    answered: ReadonlyArray<Linearized>
  ): Effect.fn.Return<ReadonlyArray<Linearized> | undefined> {
    if (open.length === 0) return (yield* isConfirmed) ? answered : undefined
    const back = yield* saved(expected)
    for (const step of open) {
      if (step.after !== undefined && open.includes(step.after)) continue
      if (++tries > MAX_TRIED_STEPS)
        return yield* Effect.die(`${exchanges.length} requests of one moment have too many orders`)
      const reply = yield* step.take
      const rest = open.filter((other) => other !== step)
      const isLast = rest.every(({ request }) => request !== step.request)
      const { request, seen } = step
      const found = reply && (yield* search(rest, isLast ? [...answered, { request, seen, answer: reply }] : answered))
      if (found !== undefined) return found
      yield* back
    }
    return undefined
  })
  return yield* search(steps, [])
})

/** Keeps the state of the oracle and the tokens; the answer puts them back. */
export const saved = (expected: Expected) =>
  Effect.map(expected.oracle.save, (back) => {
    const pairs = expected.pairs.copy()
    return Effect.andThen(
      back,
      Effect.sync(() => {
        expected.pairs = pairs.copy()
      })
    )
  })
