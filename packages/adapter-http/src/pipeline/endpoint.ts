/** Compiles an endpoint of the `HttpApi` definition with its handler: admission, decoding and encoding. */
import type { Administrator, Caller, CallerKind, Operator, User } from "@sojourn/core"
import * as Effect from "effect/Effect"
import type * as HttpApiEndpoint from "effect/http-api/HttpApiEndpoint"
import type * as HttpApiGroup from "effect/http-api/HttpApiGroup"
import * as Schema from "effect/Schema"
import * as SchemaIssue from "effect/SchemaIssue"
import * as callers from "../api/shared/callers.ts"
import { BadRequest, type PayloadTooLarge, type Refusal } from "../api/shared/refusals.ts"
import type { Admission } from "./admission.ts"
import { type Answer, empty, json } from "./answer.ts"
import { textOf } from "./body.ts"
import { checkBody, checkPath } from "./bodyPreconditions.ts"
import { compileSuccessEncoder, NotEncodable } from "./jsonEncoder.ts"
import { malformed } from "./malformed.ts"
import { pathOf, type RequestHead } from "./requestHead.ts"

/** The type of an endpoint's caller, from the middleware in its definition; undefined for endpoints without credentials. */
type CallerOf<Endpoint> = [HttpApiEndpoint.MiddlewareProvides<Endpoint>] extends [infer Provided]
  ? [Provided] extends [never]
    ? undefined
    : Provided extends callers.CurrentUser
      ? User
      : Provided extends callers.CurrentAdministrator
        ? Administrator
        : Provided extends callers.CurrentOperator
          ? Operator
          : Provided extends callers.CurrentCaller
            ? User | Administrator
            : never
  : never

type Part<Name extends string, S> = [S] extends [never]
  ? unknown
  : S extends { readonly Type: infer Type }
    ? { readonly [N in Name]: Type }
    : unknown

/** An admitted and decoded request. */
export type Asked<Endpoint> = { readonly caller: CallerOf<Endpoint>; readonly head: RequestHead } & Part<
  "params",
  HttpApiEndpoint.Params<Endpoint>
> &
  Part<"query", HttpApiEndpoint.Query<Endpoint>> &
  Part<"headers", HttpApiEndpoint.Headers<Endpoint>> &
  Part<"payload", HttpApiEndpoint.Payload<Endpoint>>

type SuccessOf<Endpoint> =
  HttpApiEndpoint.Success<Endpoint> extends infer S ? (S extends { readonly Type: infer Type } ? Type : never) : never

/** A success with a body that the handler has encoded: a stream, such as of a long list. */
export class RawBody {
  readonly status: number
  readonly body: Answer["body"]
  readonly headers: Answer["headers"]
  constructor(status: number, body: Answer["body"], headers: Answer["headers"] = {}) {
    this.status = status
    this.body = body
    this.headers = headers
  }
}

/** The handler of an endpoint: runs one use case, and maps its refusals to statuses of the definition. */
export type Handler<Endpoint> = (
  asked: Asked<Endpoint>
) => Effect.Effect<SuccessOf<Endpoint> | RawBody, HttpApiEndpoint.Errors<Endpoint>>

/** The handlers of a group, by the identifiers of its endpoints. */
export type GroupHandlers<Group extends HttpApiGroup.Constraint> = {
  readonly [Endpoint in HttpApiGroup.Endpoints<Group> as HttpApiEndpoint.Identifier<Endpoint>]: Handler<Endpoint>
}

/** The body of a request: its bytes, or the effect that reads them after admission. */
export type Body = Uint8Array | Effect.Effect<Uint8Array, BadRequest | PayloadTooLarge>

/** A compiled endpoint. */
export interface CompiledEndpoint {
  readonly method: string
  readonly path: string
  /** Admits, decodes, handles and encodes one request. The segments of `params` are still percent-encoded. */
  readonly answer: (
    head: RequestHead,
    params: Readonly<Record<string, string>>,
    body: Body
  ) => Effect.Effect<Answer, Refusal>
}

const KINDS: ReadonlyArray<readonly [key: string, kinds: ReadonlyArray<CallerKind>]> = [
  [callers.Users.key, ["User"]],
  [callers.Administrators.key, ["Administrator"]],
  [callers.UsersAndAdministrators.key, ["User", "Administrator"]],
  [callers.Operators.key, ["Operator"]]
]

/** The kinds of callers that an endpoint admits, from the middleware in its definition; undefined for no restriction. */
const kindsOf = ({ middlewares }: HttpApiEndpoint.Top): ReadonlyArray<CallerKind> | undefined => {
  const named = new Set(Array.from(middlewares, ({ key }) => key))
  return KINDS.find(([key]) => named.has(key))?.[1]
}

type Decode = (request: {
  readonly head: RequestHead
  readonly params: Readonly<Record<string, string>>
  readonly text: string
}) => unknown

type Decoder = (sent: unknown) => Effect.Effect<unknown, Schema.SchemaError>

const decoderOf = (schema: Schema.Constraint): Decoder =>
  Schema.decodeUnknownEffect(schema as unknown as Schema.Codec<unknown>)

/** Values by name; a repeated name has a list of values. */
const listed = (entries: URLSearchParams): Record<string, string | Array<string>> => {
  const byName: Record<string, string | Array<string>> = Object.create(null) as {}
  for (const [name, value] of entries) {
    const known = byName[name]
    byName[name] = known === undefined ? value : [...(typeof known === "string" ? [known] : known), value]
  }
  return byName
}

const decoded = (params: Readonly<Record<string, string>>): Record<string, string> => {
  const byName: Record<string, string> = {}
  for (const name in params) {
    const value = params[name]!
    byName[name] = value.includes("%") ? decodeURIComponent(value) : value
  }
  return byName
}

const notJson = new Schema.SchemaError(new SchemaIssue.InvalidValue({ message: "Expected a valid JSON body" }))

/** A parameter's name may be the client's own: it is not named. */
const sentTwice = new Schema.SchemaError(
  new SchemaIssue.InvalidValue({ message: "A parameter of the form is sent twice" })
)

/** `URLSearchParams` replaces what is no UTF-8, and keeps escapes that are none. */
const isWellEscaped = (form: string): boolean => {
  try {
    decodeURIComponent(form)
    return true
  } catch {
    return false
  }
}

const badlyEscaped = new Schema.SchemaError(
  new SchemaIssue.InvalidValue({ message: "Expected escapes of the form to be UTF-8" })
)

const decodePayload = ({ payload }: HttpApiEndpoint.Top): Decoder | undefined => {
  const [sent, ...others] = payload.values()
  if (sent === undefined) return undefined
  if (others.length > 0) throw new TypeError("an endpoint takes bodies of one media type")
  const schema = Schema.Union(sent.schemas as unknown as ReadonlyArray<Schema.Codec<unknown>>)
  if (sent.encoding._tag === "FormUrlEncoded") {
    const decode = decoderOf(Schema.toCodecArrayFromSingle(schema))
    return (text) => {
      if (!isWellEscaped(text as string)) return Effect.fail(badlyEscaped)
      const sent = listed(new URLSearchParams(text as string))
      return Object.values(sent).some(Array.isArray) ? Effect.fail(sentTwice) : decode(sent)
    }
  }
  const decode = decoderOf(schema)
  return (text) => {
    if (text === "") return decode(undefined)
    let parsed: unknown
    try {
      parsed = JSON.parse(text as string)
    } catch {
      return Effect.fail(notJson)
    }
    return decode(parsed)
  }
}

/** The parts of a request that an endpoint's definition describes, each with its decoder, in the order of the checks. */
const partsOf = (endpoint: HttpApiEndpoint.Top) => {
  const parts: Array<{ readonly name: string; readonly sent: Decode; readonly decode: Decoder }> = []
  const { params, headers, query } = endpoint
  if (params !== undefined) parts.push({ name: "params", sent: (of) => decoded(of.params), decode: decoderOf(params) })
  if (headers !== undefined) parts.push({ name: "headers", sent: (of) => of.head.headers, decode: decoderOf(headers) })
  if (query !== undefined) {
    parts.push({
      name: "query",
      sent: ({ head: { url } }) => listed(new URLSearchParams(url.slice(pathOf(url).length))),
      decode: decoderOf(Schema.toCodecArrayFromSingle(query as unknown as Schema.Codec<unknown>))
    })
  }
  const payload = decodePayload(endpoint)
  if (payload !== undefined) parts.push({ name: "payload", sent: ({ text }) => text, decode: payload })
  return parts
}

const toMalformed = ({ issue }: Schema.SchemaError): BadRequest => malformed(issue)

const readText = (body: Body): Effect.Effect<string, BadRequest | PayloadTooLarge> =>
  body instanceof Uint8Array ? textOf(body) : Effect.flatMap(body, textOf)

/** Makes the admission of an endpoint, which returns the caller and the text of the body. */
const makeAdmit = (endpoint: HttpApiEndpoint.Top, { admit, credentialOf }: Admission["Service"]) => {
  const kinds = kindsOf(endpoint)
  if (kinds !== undefined) {
    return (head: RequestHead, body: Body) => admit(kinds, credentialOf(head), head, endpoint, readText(body))
  }
  return (head: RequestHead, body: Body) =>
    Effect.flatMapEager(checkBody(head, endpoint, readText(body)), (text) => {
      const fault = checkPath(head)
      return fault === undefined
        ? Effect.succeed({ caller: undefined as Caller | undefined, text })
        : Effect.fail(fault)
    })
}

/**
 * Compiles an endpoint of the definition with its handler: the checks in their order (spec: http#order-of-checks), then the
 * handler, then the encoder of its successes.
 */
export const compileEndpoint = (
  endpoint: HttpApiEndpoint.Top,
  handler: (asked: never) => Effect.Effect<unknown, unknown>,
  admission: Admission["Service"]
): CompiledEndpoint => {
  const admit = makeAdmit(endpoint, admission)
  const parts = partsOf(endpoint)
  const encode = compileSuccessEncoder(endpoint.success)
  const { method, path } = endpoint

  const toAnswer = (success: unknown): Effect.Effect<Answer> => {
    if (success instanceof RawBody) {
      return Effect.succeed({ status: success.status, headers: success.headers, body: success.body })
    }
    try {
      const encoded = encode(success)
      return Effect.succeed(encoded.json === undefined ? empty(encoded.status) : json(encoded.status, encoded.json))
    } catch (defect) {
      if (!(defect instanceof NotEncodable)) throw defect
      // The place alone: the values are personal, and one of them may be an exit token.
      return Effect.die(new Error(`${method} ${path}: ${defect.message}`))
    }
  }

  return {
    method,
    path,
    answer: (head, params, body) =>
      Effect.flatMapEager(admit(head, body), ({ caller, text }) => {
        const asked: Record<string, unknown> = { caller, head }
        const sent = { head, params, text }
        const decodeFrom = (index: number): Effect.Effect<Answer, Refusal> => {
          const part = parts[index]
          if (part === undefined) {
            return Effect.flatMapEager(handler(asked as never) as Effect.Effect<unknown, Refusal>, toAnswer)
          }
          return Effect.flatMapEager(Effect.mapErrorEager(part.decode(part.sent(sent)), toMalformed), (value) => {
            asked[part.name] = value
            return decodeFrom(index + 1)
          })
        }
        return decodeFrom(0)
      })
  }
}
