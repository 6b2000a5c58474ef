/** Finds the bearer token of a request, and checks its caller in the order that every endpoint with credentials has (spec: http#order-of-checks). */
import {
  type Administrator,
  type AnyCaller,
  Authenticator,
  AuthenticatorUnavailable,
  type CallerKind,
  Devices,
  isDeviceToken,
  type NotAuthenticated,
  TwoGenerationCache
} from "@sojourn/core"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Redacted from "effect/Redacted"
import * as Schedule from "effect/Schedule"
import { problemOf } from "../api/shared/problems.ts"
import { Forbidden, ServiceUnavailable, type TooManyRequests, Unauthorized } from "../api/shared/refusals.ts"
import { limitCaller, limitNetwork, RequestLimits } from "./limits.ts"
import type { RequestHead } from "./requestHead.ts"
import { noteFailure } from "./requestNotes.ts"

const BEARER = /^bearer +([^ ].*)$/i

/** The largest size of a generation, in bytes: the characters of its headers, and about the memory that holds each. */
const MAX_GENERATION_BYTES = 8 * 1024 * 1024
const ENTRY_BYTES = 200

/** How long a header stays in a generation, in milliseconds: an unused one stays twice as long at most. */
const MAX_GENERATION_AGE_MS = 30_000

/** The key of a header is its last characters: all of its hundreds would be hashed at each request. */
const KEY_CHARACTERS = 12

/** The credential of a header, by the scheme `bearer` of the definition; empty where there is none. */
export interface Credential {
  readonly header: string
  readonly token: Redacted.Redacted<string>
  readonly kind: "none" | "device" | "other"
  isKept: boolean
}

/** The credentials of recent requests, each the same object at every request: the authenticator caches by it what it verified. */
export interface Credentials {
  readonly find: (head: RequestHead) => Credential
  /** Keeps a credential that was accepted. Others would evict them. */
  readonly keep: (credential: Credential) => void
}

/** Makes a cache of credentials by their headers: one of those with the same key. */
export const makeCredentials = (): Credentials => {
  const cache = new TwoGenerationCache<string, Credential>(
    MAX_GENERATION_BYTES,
    ({ header }) => header.length + ENTRY_BYTES
  )
  let turnedAt = performance.now()
  return {
    find: ({ headers }) => {
      const header = headers["authorization"] ?? ""
      const now = performance.now()
      if (now - turnedAt >= MAX_GENERATION_AGE_MS) {
        cache.turn()
        turnedAt = now
      }
      const known = cache.get(header.slice(-KEY_CHARACTERS))
      if (known?.header === header) return known
      const text = BEARER.exec(header)?.[1] ?? ""
      const token = Redacted.make(text)
      return { header, token, kind: text === "" ? "none" : isDeviceToken(token) ? "device" : "other", isKept: false }
    },
    keep: (credential) => {
      if (credential.isKept) return
      credential.isKept = true
      cache.set(credential.header.slice(-KEY_CHARACTERS), credential)
    }
  }
}

/** How long an administrator stays noted at most, so that one that another process erased leaves this process's memory. */
const FORGET_INTERVAL = "10 minutes"

/** How many administrators a process keeps as noted, so that each costs the store one write and no more. */
const MAX_NOTED_ADMINISTRATORS = 10_000

/** Records the account of an administrator who calls. */
type RecordSignIn = (administrator: Administrator) => Effect.Effect<void, Unauthorized | ServiceUnavailable>

type Refusal = Unauthorized | TooManyRequests | Forbidden | ServiceUnavailable

export class Admission extends Context.Service<
  Admission,
  {
    /** Admits a caller of these kinds: checks the credentials, the rate limits and the kind. */
    readonly admit: (kinds: ReadonlyArray<CallerKind>, head: RequestHead) => Effect.Effect<AnyCaller, Refusal>
    /** The credential of a head; empty where there is none. */
    readonly credentialOf: (head: RequestHead) => Redacted.Redacted<string>
    /** Notes that a request of a display was accepted. */
    readonly noteSighting: Devices["Service"]["noteSighting"]
    /** Forgets the noted administrators: the next caller is noted again. */
    readonly forget: Effect.Effect<void>
  }
>()("@sojourn/adapter-http/Admission") {
  static readonly layer = (recordSignIn: RecordSignIn): Layer.Layer<Admission, never, Authenticator | Devices> =>
    Layer.effect(
      Admission,
      Effect.gen(function* () {
        const authenticator = yield* Authenticator
        const { note, forget } = makeNote(recordSignIn)
        yield* Effect.forkScoped(Effect.repeat(forget, Schedule.spaced(FORGET_INTERVAL)))
        const limits = yield* RequestLimits
        const limit = limitCaller(limits)
        const devices = yield* Devices
        const authenticate = makeAuthenticate(authenticator, devices, limitNetwork(limits))
        const { find, keep } = makeCredentials()
        return Admission.of({
          forget,
          credentialOf: (head) => find(head).token,
          noteSighting: devices.noteSighting,
          // Chained by hand, and at once where nothing is to wait for: every request passes here.
          admit: (kinds, head) => {
            const credential = find(head)
            return Effect.flatMapEager(authenticate(credential, head), (caller) => {
              keep(credential)
              return Effect.flatMapEager(limit(caller), () =>
                Effect.flatMapEager(note(caller), () =>
                  kinds.includes(caller._tag) ? Effect.succeed(caller) : Effect.fail(forbidden(kinds, caller))
                )
              )
            })
          }
        })
      })
    )
}

const forbidden = (kinds: ReadonlyArray<CallerKind>, { _tag }: AnyCaller) =>
  new Forbidden({ detail: `This is for ${kinds.join(" and ")} callers; you are ${_tag}.` })

/**
 * Authenticates the caller. Requests without valid credentials are limited by address; callers with valid ones behind the same
 * address are served.
 */
const makeAuthenticate = (
  authenticator: Authenticator["Service"],
  devices: Devices["Service"],
  limit: ReturnType<typeof limitNetwork>
) => {
  const callerOf = ({
    kind,
    token
  }: Credential): Effect.Effect<AnyCaller, NotAuthenticated | AuthenticatorUnavailable> =>
    kind === "device"
      ? Effect.catchTag(devices.authenticate(token), "StoreError", ({ operation }) =>
          Effect.fail(new AuthenticatorUnavailable({ reason: operation }))
        )
      : authenticator.authenticate(token)
  const refuse = (request: RequestHead, detail: string) =>
    Effect.andThen(limit(request), Effect.fail(new Unauthorized({ detail })))
  return (credential: Credential, request: RequestHead) =>
    credential.kind === "none"
      ? refuse(request, "Send your credentials as Authorization: Bearer <token>.")
      : Effect.catchEager(
          callerOf(credential),
          (
            failure: NotAuthenticated | AuthenticatorUnavailable
          ): Effect.Effect<never, Unauthorized | TooManyRequests | ServiceUnavailable> =>
            failure._tag === "NotAuthenticated"
              ? refuse(request, `The credentials are refused: ${failure.reason}`)
              : Effect.andThen(
                  noteFailure({ message: `credentials cannot be verified: ${failure.reason}` }),
                  Effect.fail(new ServiceUnavailable(problemOf("CredentialsNotChecked")))
                )
        )
}

/** An administrator's account exists from the first authenticated call on (spec: accounts#first-call). */
const makeNote = (recordSignIn: RecordSignIn) => {
  let noted = new TwoGenerationCache<string, true>(MAX_NOTED_ADMINISTRATORS)
  const note = (caller: AnyCaller) => (caller._tag === "Administrator" ? noteAdministrator(caller) : Effect.void)
  const noteAdministrator = (administrator: Administrator) => {
    const key = `${administrator.administratorId}\n${administrator.mail ?? ""}`
    if (noted.get(key)) return Effect.void
    return Effect.tap(recordSignIn(administrator), () => Effect.sync(() => noted.set(key, true)))
  }
  const forget = Effect.sync(() => {
    noted = new TwoGenerationCache(MAX_NOTED_ADMINISTRATORS)
  })
  return { note, forget }
}
