import {
  type Administrator,
  Administrators as AdministratorsService,
  Authenticator,
  type Caller,
  type CallerKind
} from "@sojourn/core"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import type * as HttpApiEndpoint from "effect/http-api/HttpApiEndpoint"
import * as HttpApiMiddleware from "effect/http-api/HttpApiMiddleware"
import type { HttpServerResponse } from "effect/http/HttpServerResponse"
import * as HttpServerRequest from "effect/http/HttpServerRequest"
import * as Layer from "effect/Layer"
import * as Redacted from "effect/Redacted"
import * as SchemaIssue from "effect/SchemaIssue"
import type { unhandled } from "effect/Types"
import {
  Administrators,
  Anybody,
  CurrentAdministrator,
  CurrentCaller,
  CurrentOperator,
  CurrentUser,
  Operators,
  Users,
  UsersAndAdministrators,
  WellFormed
} from "../api/callers.ts"
import { BadRequest, Forbidden, ServiceUnavailable, Unauthorized } from "../api/refusals.ts"
import { checkBody, checkPath } from "./envelope.ts"
import { refuse } from "./refuse.ts"

/** How many administrators a process remembers to have noted, so that each costs the store one write and no more. */
const MOST_REMEMBERED = 10_000

/** Whoever calls, in the order of checks that the contract sets: credentials, kind, then the body's envelope. */
const makeAdmission = Effect.gen(function* () {
  const authenticator = yield* Authenticator
  const administrators = yield* AdministratorsService
  const noted = new Set<string>()

  /** An administrator's account exists from the first authenticated call on (contract, section 9). */
  const note = (administrator: Administrator) => {
    const key = `${administrator.administratorId}\n${administrator.mail ?? ""}`
    if (noted.has(key)) return Effect.void
    return Effect.tap(administrators.recordSignIn(administrator).pipe(refuse()), () =>
      Effect.sync(() => {
        if (noted.size >= MOST_REMEMBERED) noted.clear()
        noted.add(key)
      })
    )
  }

  const admit = Effect.fnUntraced(function* (
    kinds: ReadonlyArray<CallerKind>,
    credential: Redacted.Redacted<string>,
    endpoint: HttpApiEndpoint.Top
  ) {
    if (Redacted.value(credential) === "") {
      return yield* new Unauthorized({ detail: "Send your credentials as Authorization: Bearer <token>." })
    }
    const caller = yield* Effect.catchTags(authenticator.authenticate(credential), {
      NotAuthenticated: ({ reason }) =>
        Effect.fail(new Unauthorized({ detail: `The credentials are refused: ${reason}` })),
      AuthenticatorUnavailable: ({ reason }) =>
        Effect.andThen(
          Effect.logError(`nobody can be authenticated: ${reason}`),
          Effect.fail(new ServiceUnavailable({ detail: "Credentials cannot be checked now: try again later." }))
        )
    })
    if (caller._tag === "Administrator") yield* note(caller)
    if (!kinds.includes(caller._tag)) {
      return yield* new Forbidden({ detail: `This is for ${kinds.join(" and ")} callers; you are ${caller._tag}.` })
    }
    const request = yield* HttpServerRequest.HttpServerRequest
    yield* checkBody(request, endpoint)
    yield* checkPath(request)
    return caller
  })

  return <Id, C extends Caller>(kinds: ReadonlyArray<C["_tag"]>, current: Context.Key<Id, C>) => ({
    bearer: (
      handler: Effect.Effect<HttpServerResponse, unhandled, Id>,
      options: { readonly credential: Redacted.Redacted<string>; readonly endpoint: HttpApiEndpoint.Top }
    ) =>
      Effect.flatMap(admit(kinds, options.credential, options.endpoint), (caller) =>
        Effect.provideService(handler, current, caller as C)
      )
  })
})

const layerWellFormed = HttpApiMiddleware.layerSchemaErrorTransform(WellFormed, (error, { endpoint }) => {
  const issues = SchemaIssue.makeFormatterStandardSchemaV1()(error.cause.issue).issues.map(({ path, message }) => ({
    where: (path ?? []).map((part) => String(typeof part === "object" ? part.key : part)).join("."),
    message
  }))
  // What the service itself cannot encode is a bug of the service: it ends as a defect, and in the log. The log gets the
  // places alone: the values are somebody's, and one of them may be an exit token.
  if (error.kind === "Body" || error.kind === "ResponseHeaders") {
    const places = issues.map(({ where }) => where).join(", ")
    return Effect.die(new Error(`the answer of ${endpoint.method} ${endpoint.path} cannot be encoded: ${places}`))
  }
  const detail = issues.map(({ where, message }) => (where === "" ? message : `${where}: ${message}`)).join("; ")
  return Effect.fail(new BadRequest({ detail }))
})

const layerAnybody = Layer.succeed(Anybody, (handler, { endpoint }) =>
  Effect.gen(function* () {
    const request = yield* HttpServerRequest.HttpServerRequest
    yield* checkBody(request, endpoint)
    yield* checkPath(request)
    return yield* handler
  })
)

/** The middlewares that every endpoint of the interface names. They ask `Authenticator` who is calling. */
export const layerAdmission = Layer.mergeAll(
  Layer.effectContext(
    Effect.map(makeAdmission, (admission) =>
      Context.empty().pipe(
        Context.add(Users, admission(["User"], CurrentUser)),
        Context.add(Administrators, admission(["Administrator"], CurrentAdministrator)),
        Context.add(UsersAndAdministrators, admission(["User", "Administrator"], CurrentCaller)),
        Context.add(Operators, admission(["Operator"], CurrentOperator))
      )
    )
  ),
  layerAnybody,
  layerWellFormed
)
