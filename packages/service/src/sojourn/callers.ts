/** Callers whom the application knows, and the credentials by which the interface takes them from this process alone. */
import {
  Administrator,
  AdministratorId,
  Authenticator,
  type Caller,
  faultsOf,
  Mail,
  Operator,
  OperatorId,
  textOf,
  User,
  UserId
} from "@sojourn/core"
import { Effect, Layer, Redacted, Result, Schema } from "effect"
import { randomBytes, timingSafeEqual } from "node:crypto"

/** A caller whom the application knows by its own session: `{ kind: "user", id: "tim" }`. */
export interface KnownCaller {
  readonly kind: "user" | "administrator" | "operator"
  /** 1 to 256 characters. */
  readonly id: string
  /** The address of an administrator, which the application has verified. */
  readonly mail?: string | undefined
}

const Known = Schema.Struct({
  kind: Schema.Literals(["user", "administrator", "operator"]),
  id: textOf(1, 256),
  mail: Schema.optional(Mail)
})

const decode = Schema.decodeUnknownResult(Known, { errors: "all" })

/** Core's caller. Throws a `TypeError` that says which member got what and what it wants. */
export const callerOf = (known: KnownCaller): Caller => {
  const decoded = decode(known)
  if (Result.isFailure(decoded)) {
    const said = faultsOf(decoded.failure.issue, known).map(({ where, expected, got }) => {
      return where === "" ? `caller: Expected { kind, id, mail? }${got}` : `caller.${where}: ${expected}${got}`
    })
    throw new TypeError(said.join("; "))
  }
  const { kind, id, mail } = decoded.success
  if (kind === "user") return User(UserId.make(id))
  return kind === "operator" ? Operator(OperatorId.make(id)) : Administrator(AdministratorId.make(id), mail)
}

const SECRET_BYTES = 32

/**
 * Credentials that hold for the life of one service: a secret that never leaves the process, and the caller. They need no issuer, and
 * are not signed at each call.
 */
export class ProcessCredentials {
  private readonly secret = randomBytes(SECRET_BYTES)

  readonly of = (known: KnownCaller): string => {
    callerOf(known)
    return `${this.secret.toString("hex")}.${Buffer.from(JSON.stringify(known)).toString("base64url")}`
  }

  private readonly caller = (credential: string): Caller | undefined => {
    const [secret = "", known = ""] = credential.split(".")
    const sent = Buffer.from(secret, "hex")
    if (sent.length !== SECRET_BYTES || !timingSafeEqual(sent, this.secret)) return undefined
    return callerOf(JSON.parse(Buffer.from(known, "base64url").toString()) as KnownCaller)
  }

  /** Authenticates them, and leaves all others to an authenticator. */
  readonly layer = <E>(others: Layer.Layer<Authenticator, E>): Layer.Layer<Authenticator, E> =>
    Layer.effect(
      Authenticator,
      Effect.map(Authenticator, ({ authenticate }) => ({
        authenticate: (credentials) => {
          const caller = this.caller(Redacted.value(credentials))
          return caller === undefined ? authenticate(credentials) : Effect.succeed(caller)
        }
      }))
    ).pipe(Layer.provide(others))
}
