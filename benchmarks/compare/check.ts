/** Correctness of a candidate before it is measured: one that answers wrongly could be fast by that. */
import { Effect } from "effect"
import { accessesPath, type Api, counterPath, requireSame } from "./api.ts"
import type { Issuer } from "./issuer.ts"

/** The token with one character of its secret changed. */
const forge = (token: string) => {
  const at = token.length - 10
  return `${token.slice(0, at)}${token[at] === "0" ? "1" : "0"}${token.slice(at + 1)}`
}

/** An organization that does not exist. */
const NOWHERE = 999_999_999

/** Checks statuses, refusals, the counter and the list of accesses in an organization that is empty. It leaves two stays. */
export const check = Effect.fnUntraced(function* (api: Api, issuer: Issuer, organizationId: number) {
  const { call, track } = api
  const [user] = issuer.users
  const entrance = { movementType: 1, organizationId }
  const exit = { movementType: -1, organizationId }
  const requireInside = (wanted: number) =>
    call<{ readonly counter: number }>("a counter", 200, issuer.administrator, counterPath(organizationId)).pipe(
      Effect.flatMap(({ counter }) => requireSame("the counter", counter, wanted))
    )
  const list = <Body>(what: string, status: number, token: string | undefined, exitTokens: ReadonlyArray<string>) =>
    call<Body>(what, status, token, accessesPath(organizationId, exitTokens))

  yield* track("an entrance without a token", 401, undefined, entrance)
  yield* track("a token with a forged signature", 401, forge(user!), entrance)
  yield* track("an entrance of an administrator", 403, issuer.administrator, entrance)
  yield* track("no movement at all", 400, user, { organizationId })
  yield* track("an exit without its token", 400, user, exit)
  yield* track("an entrance nowhere", 400, user, { ...entrance, organizationId: NOWHERE })
  yield* requireInside(0)
  const { exitToken } = yield* track("an entrance", 201, user, entrance)
  yield* requireInside(1)
  yield* track("an exit with a forged token", 400, user, { ...exit, exitToken: forge(exitToken) })
  yield* requireInside(1)
  yield* list("a list before the exit", 204, user, [exitToken])
  const { timestamp } = yield* track("an exit", 202, user, { ...exit, exitToken })
  yield* requireInside(0)
  yield* track("the same exit again", 202, user, { ...exit, exitToken })
  const other = new Date(Date.parse(timestamp) + 1000).toISOString()
  yield* track("another exit with the token", 400, user, { ...exit, exitToken, timestamp: other })
  type Listed = ReadonlyArray<{ readonly exitToken: string }>
  const accesses = yield* list<Listed>("a list", 200, user, [exitToken, forge(exitToken)])
  yield* requireSame("the tokens in the list", accesses.map((access) => access.exitToken).join(), exitToken)
  yield* list("a list without a token", 401, undefined, [exitToken])
  yield* call("a counter without a token", 401, undefined, counterPath(organizationId))
  yield* call("a counter for a user", 403, user, counterPath(organizationId))
  yield* call("a counter for a stranger", 403, issuer.stranger, counterPath(organizationId))
})
