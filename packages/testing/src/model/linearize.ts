/** Linearizability: finds an order of requests of one moment in which the oracle gives the same answers. */
import type { Administrator, MusterId } from "@sojourn/core"
import { Effect } from "effect"
import type { Oracle } from "./Driver.ts"
import type { Partners } from "./Partners.ts"
import { readMuster } from "./generate/presence.ts"
import { type Answer, Ref, type Request } from "./Request.ts"

/** A request, and what the service answered. */
export interface Exchange {
  readonly request: Request
  readonly seen: Answer
}
export interface Linearized extends Exchange {
  readonly answer: Answer
}

/** The oracle, and which of its ids and tokens are partners of the service's. */
export interface Expected {
  readonly oracle: Oracle
  partners: Partners
}

/** Saves the state of the oracle and the partners. The effect that it returns restores them, any number of times. */
export const save = (expected: Expected) =>
  Effect.map(expected.oracle.save, (restore) => {
    const partners = expected.partners.copy()
    return Effect.andThen(
      restore,
      Effect.sync(() => void (expected.partners = partners.copy()))
    )
  })

/** What the oracle answers, if the service answered the same. */
const confirm = (expected: Expected, { request, seen }: Exchange, asked = request) =>
  Effect.map(expected.oracle.ask(asked), (answer) =>
    expected.partners.agree(request, answer, seen) ? answer : undefined
  )

/**
 * Does the oracle answer all of this in the same way, one after the other? The requests were sent while `sent` were the partners: in another
 * order of what came before, the oracle may have given the same ids to others.
 */
export const confirmAll = Effect.fnUntraced(function* (
  expected: Expected,
  exchanges: ReadonlyArray<Exchange>,
  sent: Partners
) {
  for (const { request, seen } of exchanges) {
    const located = { ...request, args: expected.partners.relocate(request.args, sent) }
    yield* expected.oracle.signIn(request.by)
    if ((yield* confirm(expected, { request: located, seen })) === undefined) return false
  }
  return true
})

/** A part of a request. It answers nothing where the service cannot have answered as it did. */
interface Part extends Exchange {
  readonly take: Effect.Effect<Answer | undefined>
  /** The part of the same request that comes before it. */
  readonly after: Part | undefined
}

/** What changes accounts, so that it matters when a caller of the same moment signed in. */
const OF_ACCOUNTS = ["CreateOrganization", "Register", "Bind", "Create", "Erase"]
const OF_MUSTERS = ["StartMuster", "MarkSafe", "MarkMissing", "MarkSwept", "EndMuster"]

/** A `Publish` that skipped what is locked is repeated after so many milliseconds at most. */
export const SKIPPED = 20

/** Others may come between: a caller's sign-in and the request; the change of a muster and its report; two publications. */
const partsOf = (
  expected: Expected,
  now: number,
  exchange: Exchange,
  all: ReadonlyArray<Exchange>
): ReadonlyArray<Part> => {
  const { request, seen } = exchange
  const { oracle } = expected
  const signIn = oracle.signIn(request.by)
  const done = (effect: Effect.Effect<unknown>) => Effect.as(effect, { name: "Done" })
  const isSeparate = request.by._tag === "Administrator" && all.some((one) => OF_ACCOUNTS.includes(one.request.name))
  const nextAt =
    request.name === "Publish"
      ? ((seen.value as { readonly nextAt?: number } | undefined)?.nextAt ?? Infinity)
      : Infinity
  const isReport = OF_MUSTERS.includes(request.name) && seen.name === "Done"
  let musterId: MusterId | undefined
  const served = isReport
    ? Effect.map(oracle.ask(request), (answer) => {
        musterId = (answer.value as { readonly id: MusterId } | undefined)?.id
        return answer.name === "Done" ? answer : undefined
      })
    : confirm(expected, exchange)
  const report = Effect.suspend(() =>
    confirm(expected, exchange, readMuster(request.by as Administrator, new Ref("musterId", musterId!)))
  )
  const takes = [
    ...(isSeparate ? [done(signIn)] : []),
    ...(nextAt - now <= SKIPPED ? [done(oracle.ask(request))] : []),
    isSeparate ? served : Effect.andThen(signIn, served),
    ...(isReport ? [report] : [])
  ]
  const parts: Array<Part> = []
  for (const take of takes) parts.push({ ...exchange, take, after: parts.at(-1) })
  return parts
}

/** Four requests have 24 orders, and more where they have several parts. */
const MAX_TRIED = 20_000

/**
 * Finds an order in which the oracle answers each as the service did, and `isConfirmed` after them. The oracle is then in the state that
 * they lead to; where there is none, in any state. Answers the exchanges in this order.
 */
export const linearize = Effect.fnUntraced(function* (
  expected: Expected,
  now: number,
  exchanges: ReadonlyArray<Exchange>,
  isConfirmed: Effect.Effect<boolean>
) {
  let tried = 0
  const search = Effect.fnUntraced(function* (
    open: ReadonlyArray<Part>,
    answered: ReadonlyArray<Linearized>
  ): Effect.fn.Return<ReadonlyArray<Linearized> | undefined> {
    if (open.length === 0) return (yield* isConfirmed) ? answered : undefined
    const restore = yield* save(expected)
    for (const part of open) {
      if (part.after !== undefined && open.includes(part.after)) continue
      if (++tried > MAX_TRIED) return yield* Effect.die("requests of one moment have too many orders")
      const answer = yield* part.take
      const rest = open.filter((other) => other !== part)
      const { request, seen } = part
      const isLast = rest.every((other) => other.request !== request)
      const found = answer && (yield* search(rest, isLast ? [...answered, { request, seen, answer }] : answered))
      if (found !== undefined) return found
      yield* restore
    }
    return undefined
  })
  return yield* search(
    exchanges.flatMap((exchange) => partsOf(expected, now, exchange, exchanges)),
    []
  )
})
