/** Correctness of a candidate before it is measured: one that answers wrongly could be quick by that. */
import { Data, Effect } from "effect"
import type { Answered, Api } from "./Api.ts"
import type { Issuer } from "./Issuer.ts"

/** A candidate does not do what it is measured for. */
export class Incorrect extends Data.TaggedError("Incorrect")<{ readonly what: string; readonly found: string }> {
  override get message(): string {
    return `${this.what}: ${this.found}`
  }
}

/** The body of an answer with the status that it must have. */
export const expected = <Body = unknown>(
  what: string,
  { status, json }: Answered,
  wanted: number
): Effect.Effect<Body, Incorrect> =>
  status === wanted
    ? Effect.succeed(json as Body)
    : Effect.fail(new Incorrect({ what, found: `answered ${status}, not ${wanted}` }))

/** Fails unless two values are the same. */
export const same = (what: string, found: unknown, wanted: unknown): Effect.Effect<void, Incorrect> =>
  found === wanted
    ? Effect.void
    : Effect.fail(new Incorrect({ what, found: `${String(found)}, not ${String(wanted)}` }))

/** The token with one character of its secret changed. */
const forge = (token: string) => {
  const at = token.length - 10
  return `${token.slice(0, at)}${token[at] === "0" ? "1" : "0"}${token.slice(at + 1)}`
}

/** An organization that does not exist. */
const NOWHERE = 999_999_999

interface Tracked {
  readonly exitToken: string
  readonly timestamp: string
}

/** What any candidate answers to movements, also one without a database. */
export const checkMovements = Effect.fnUntraced(function* (api: Api, issuer: Issuer, organizationId: number) {
  const [user] = issuer.users
  const entrance = { movementType: 1, organizationId }
  yield* expected("an entrance without a token", yield* api.track(undefined, entrance), 401)
  yield* expected("a token with a forged signature", yield* api.track(forge(user!), entrance), 401)
  yield* expected("an entrance of an administrator", yield* api.track(issuer.administrator, entrance), 403)
  yield* expected("no movement at all", yield* api.track(user, { organizationId }), 400)
  const exit = { movementType: -1, organizationId }
  yield* expected("an exit without its token", yield* api.track(user, exit), 400)
  const { exitToken } = yield* expected<Tracked>("an entrance", yield* api.track(user, entrance), 201)
  yield* expected("an exit", yield* api.track(user, { ...exit, exitToken }), 202)
})

/**
 * What every candidate with a database answers, in an organization that is empty. It leaves one stay. A candidate that
 * fails here would be quick by being wrong.
 */
export const check = Effect.fnUntraced(function* (api: Api, issuer: Issuer, organizationId: number) {
  const [user] = issuer.users
  const inside = (wanted: number) =>
    Effect.gen(function* () {
      const answered = yield* api.counter(issuer.administrator, organizationId)
      const { counter } = yield* expected<{ readonly counter: number }>("a counter", answered, 200)
      yield* same("the counter", counter, wanted)
    })
  yield* expected("an entrance nowhere", yield* api.track(user, { movementType: 1, organizationId: NOWHERE }), 400)
  yield* inside(0)
  const entrance = yield* api.track(user, { movementType: 1, organizationId })
  const { exitToken } = yield* expected<Tracked>("an entrance", entrance, 201)
  yield* inside(1)
  const exit = { movementType: -1, organizationId, exitToken }
  const forged = yield* api.track(user, { ...exit, exitToken: forge(exitToken) })
  yield* expected("an exit with a forged token", forged, 400)
  yield* inside(1)
  yield* expected("a list before the exit", yield* api.accesses(user, organizationId, [exitToken]), 204)
  const { timestamp } = yield* expected<Tracked>("an exit", yield* api.track(user, exit), 202)
  yield* inside(0)
  yield* expected("the same exit again", yield* api.track(user, exit), 202)
  const other = new Date(Date.parse(timestamp) + 1000).toISOString()
  yield* expected("another exit with the token", yield* api.track(user, { ...exit, timestamp: other }), 400)
  const list = yield* api.accesses(user, organizationId, [exitToken, forge(exitToken)])
  const accesses = yield* expected<ReadonlyArray<Tracked>>("a list", list, 200)
  yield* same("accesses in the list", accesses.length, 1)
  yield* same("the token in the list", accesses[0]!.exitToken, exitToken)
  yield* expected("a list without a token", yield* api.accesses(undefined, organizationId, [exitToken]), 401)
  yield* expected("a counter without a token", yield* api.counter(undefined, organizationId), 401)
  yield* expected("a counter for a user", yield* api.counter(user, organizationId), 403)
  yield* expected("a counter for a stranger", yield* api.counter(issuer.stranger, organizationId), 403)
})
