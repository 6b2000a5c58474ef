/** Callers of a server, and their requests. */
import { OwnIssuer } from "@sojourn/adapter-jwt"
import { Administrator, AdministratorId, type Caller, Mail, Operator, OperatorId, User, UserId } from "@sojourn/core"
import { Effect, Redacted } from "effect"
import { type HttpAnswer, type HttpRequest, send, type Sent } from "./httpClient.ts"

export type { Sent }

/** A received answer. */
export type Answer = HttpAnswer

/** A caller with a token. */
export interface Bearer {
  readonly id: string
  readonly mail: string
  readonly token: string | Promise<string>
}

/** Sends a request of a caller; a text is the value of the header Authorization. */
export type Call = (who: Bearer | string | undefined, method: string, path: string, sent?: Sent) => Promise<Answer>

/** The callers of a server. */
export interface Callers {
  readonly user: (id: string) => Bearer
  readonly administrator: (id: string, mail?: string) => Bearer
  readonly operator: (id?: string) => Bearer
}

/** Mints a token of the server's own issuer, valid for an hour by default. */
export const mintToken = (
  key: OwnIssuer.SigningKey,
  caller: Caller,
  options: Parameters<typeof OwnIssuer.mint>[2] = { expiresIn: 3600 }
): Promise<string> => Effect.runPromise(Effect.map(OwnIssuer.mint(key, caller, options), Redacted.value))

/** Callers with tokens of the server's own issuer. */
export const makeCallers = (key: OwnIssuer.SigningKey, options?: Parameters<typeof OwnIssuer.mint>[2]): Callers => {
  const bearers = new Map<string, Bearer>()
  const bearer = (id: string, mail: string, caller: Caller): Bearer => {
    const name = `${caller._tag} ${id} ${mail}`
    const made = bearers.get(name) ?? { id, mail, token: mintToken(key, caller, options) }
    bearers.set(name, made)
    return made
  }
  return {
    user: (id) => bearer(id, "", User(UserId.make(id))),
    administrator: (id, mail = `${id}@example.test`) =>
      bearer(id, mail, Administrator(AdministratorId.make(id), mail === "" ? undefined : Mail.make(mail))),
    operator: (id = "the-operator") => bearer(id, "", Operator(OperatorId.make(id)))
  }
}

/** The header Authorization of a caller. */
export const authorizationOf = async (who: Bearer | string | undefined) =>
  who === undefined ? {} : { authorization: typeof who === "string" ? who : `Bearer ${await who.token}` }

/** Requests to a server; on connections of their own without an agent. */
export const makeCall =
  (baseUrl: string, agent: HttpRequest["agent"] = false): Call =>
  async (who, method, path, sent = {}) =>
    send(baseUrl, { agent, method, path, ...sent, headers: { ...(await authorizationOf(who)), ...sent.headers } })
