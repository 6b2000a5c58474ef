/** The checks of callers that every endpoint with credentials makes, in their order (spec: http#order-of-checks). */
import {
  type Administrator,
  Administrators,
  Authenticator,
  type AuthenticatorUnavailable,
  type Caller,
  type CallerKind,
  type NotAuthenticated
} from "@sojourn/core"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import type * as HttpApiEndpoint from "effect/http-api/HttpApiEndpoint"
import * as Layer from "effect/Layer"
import * as Redacted from "effect/Redacted"
import * as Schedule from "effect/Schedule"
import { PROBLEM_URIS } from "../api/shared/problems.ts"
import {
  type BadRequest,
  Forbidden,
  type PayloadTooLarge,
  ServiceUnavailable,
  type TooManyRequests,
  Unauthorized,
  type UnsupportedMediaType
} from "../api/shared/refusals.ts"
import { noteFailure } from "./failure.ts"
import { makeCredentials } from "./credentials.ts"
import { checkBody, checkPath } from "./bodyPreconditions.ts"
import { limitCaller, limitNetwork, RequestLimits } from "./limits.ts"
import { refuse } from "./refuse.ts"
import type { RequestHead } from "./requestHead.ts"

/** How long an administrator is remembered at most, so that one whom another process erased leaves this process's memory. */
const REMEMBERED_FOR = "10 minutes"

/** How many administrators a process remembers to have noted, so that each costs the store one write and no more. */
const MAX_REMEMBERED_ADMINISTRATORS = 10_000

/** The caller, and the text of the body, which is empty where the endpoint takes none. */
export interface Admitted {
  readonly caller: Caller
  readonly text: string
}

type Refusal =
  | Unauthorized
  | TooManyRequests
  | Forbidden
  | ServiceUnavailable
  | BadRequest
  | PayloadTooLarge
  | UnsupportedMediaType

export class Admission extends Context.Service<
  Admission,
  {
    /**
     * Admits a caller of these kinds. It checks the credentials, the rate limits, the kind, the preconditions of the body, which
     * `read` gives, and the escapes of the path.
     */
    readonly admit: (
      kinds: ReadonlyArray<CallerKind>,
      credential: Redacted.Redacted<string>,
      request: RequestHead,
      endpoint: HttpApiEndpoint.Top,
      read: Effect.Effect<string, BadRequest | PayloadTooLarge>
    ) => Effect.Effect<Admitted, Refusal>
    /** The credential of a head, where the definition's security did not provide it. */
    readonly credentialOf: (head: RequestHead) => Redacted.Redacted<string>
    /** Clears the remembered administrators: the next caller is noted again. */
    readonly forget: Effect.Effect<void>
  }
>()("@sojourn/adapter-http/Admission") {
  static readonly layer: Layer.Layer<Admission, never, Authenticator | Administrators> = Layer.effect(
    Admission,
    Effect.gen(function* () {
      const authenticator = yield* Authenticator
      const { note, forget } = makeNote(yield* Administrators)
      yield* Effect.forkScoped(Effect.repeat(forget, Schedule.spaced(REMEMBERED_FOR)))
      const limits = yield* RequestLimits
      const limit = limitCaller(limits)
      const proven = proving(authenticator, limitNetwork(limits))
      return Admission.of({
        forget,
        credentialOf: makeCredentials(),
        // Chained by hand, and at once where nothing is to wait for: every request passes here.
        admit: (kinds, credential, request, endpoint, read) =>
          Effect.flatMapEager(proven(credential, request), (caller) =>
            Effect.flatMapEager(limit(caller, request), () =>
              Effect.flatMapEager(note(caller), (): Effect.Effect<Admitted, Refusal> => {
                if (!kinds.includes(caller._tag)) return Effect.fail(forbidden(kinds, caller))
                return Effect.flatMapEager(checkBody(request, endpoint, read), (text) => {
                  const fault = checkPath(request)
                  return fault === undefined ? Effect.succeed({ caller, text }) : Effect.fail(fault)
                })
              })
            )
          )
      })
    })
  )
}

const forbidden = (kinds: ReadonlyArray<CallerKind>, { _tag }: Caller) =>
  new Forbidden({ detail: `This is for ${kinds.join(" and ")} callers; you are ${_tag}.` })

/**
 * Authenticates the caller. Requests without valid credentials are limited by address; callers with valid ones behind the same
 * address are served.
 */
const proving = (authenticator: Authenticator["Service"], limit: ReturnType<typeof limitNetwork>) => {
  const refuse = (request: RequestHead, detail: string) =>
    Effect.andThen(limit(request), Effect.fail(new Unauthorized({ detail })))
  return (credential: Redacted.Redacted<string>, request: RequestHead) =>
    Redacted.value(credential) === ""
      ? refuse(request, "Send your credentials as Authorization: Bearer <token>.")
      : Effect.catchEager(
          authenticator.authenticate(credential),
          (
            failure: NotAuthenticated | AuthenticatorUnavailable
          ): Effect.Effect<never, Unauthorized | TooManyRequests | ServiceUnavailable> =>
            failure._tag === "NotAuthenticated"
              ? refuse(request, `The credentials are refused: ${failure.reason}`)
              : Effect.andThen(
                  noteFailure({ message: `credentials cannot be verified: ${failure.reason}` }),
                  Effect.fail(
                    new ServiceUnavailable({
                      type: PROBLEM_URIS.CredentialsNotChecked,
                      detail: "Credentials cannot be checked now: try again later."
                    })
                  )
                )
        )
}

/** An administrator's account exists from the first authenticated call on (spec: accounts#first-call). */
const makeNote = (administrators: Administrators["Service"]) => {
  const noted = new Set<string>()
  const note = (caller: Caller) => (caller._tag === "Administrator" ? noteAdministrator(caller) : Effect.void)
  const noteAdministrator = (administrator: Administrator) => {
    const key = `${administrator.administratorId}\n${administrator.mail ?? ""}`
    if (noted.has(key)) return Effect.void
    return Effect.tap(administrators.recordSignIn(administrator).pipe(refuse()), () =>
      Effect.sync(() => {
        if (noted.size >= MAX_REMEMBERED_ADMINISTRATORS) noted.clear()
        noted.add(key)
      })
    )
  }
  return { note, forget: Effect.sync(() => noted.clear()) }
}
