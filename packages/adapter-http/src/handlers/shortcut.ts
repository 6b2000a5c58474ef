import type { Caller, CallerKind } from "@sojourn/core"
import * as Effect from "effect/Effect"
import type * as HttpApiEndpoint from "effect/http-api/HttpApiEndpoint"
import * as HttpBody from "effect/http/HttpBody"
import * as HttpServerResponse from "effect/http/HttpServerResponse"
import * as Schema from "effect/Schema"
import * as SchemaIssue from "effect/SchemaIssue"
import { type BadRequest, PROBLEM_TYPE, type Refusal, Refusals } from "../api/refusals.ts"
import { Admission } from "./admission.ts"
import { textOf } from "./body.ts"
import type { RequestHead } from "./envelope.ts"
import { malformed } from "./malformed.ts"

/** What went well, as JSON. */
export interface Plain {
  readonly status: number
  readonly json: HttpBody.Uint8Array
}

/**
 * One endpoint of the definition, answered without the machinery that serves all kinds of endpoints: it takes one JSON body, or
 * what is in its path, and answers one shape per status. What is checked, and in which order, is `Admission`'s matter here
 * as there, and what is sent is read by the definition's own schema. `test/shortcuts.test.ts` compares the answers byte by
 * byte with those of the usual way.
 */
export interface Shortcut {
  readonly method: string
  /** As it is declared, with `:name` for each segment that varies. */
  readonly path: string
  /** The URLs that it is for, where its path varies, in their plainest form; others go their usual way. */
  readonly pattern: RegExp | undefined
  readonly takesBody: boolean
  /** Answers a request with this body, or refuses it. */
  readonly answer: (head: RequestHead, body: Uint8Array) => Effect.Effect<unknown, Refusal>
  /** Its own answer as it leaves. Nothing is chained behind `answer` for it, which would keep all of its steps until then. */
  readonly plain: (answer: unknown) => Plain | HttpServerResponse.HttpServerResponse
}

/** An id as the service gives them out, and a list of what needs no escapes. */
const segmentOf = (name: string): string => `(?<${name}>${name.endsWith("Id") ? "\\d{1,16}" : "[\\w,-]+"})`

const patternOf = (path: string): RegExp | undefined =>
  path.includes(":") ? new RegExp(`^${path.replace(/:(\w+)/g, (_, name: string) => segmentOf(name))}$`) : undefined

const notJson = new SchemaIssue.InvalidValue({ message: "Expected a valid JSON body" })

type Decode = (head: RequestHead, text: string) => Effect.Effect<unknown, BadRequest>

/** Reads the body. */
const decodeBody = ({ payload }: HttpApiEndpoint.Top): Decode => {
  const [json] = payload.values()
  const decode = Schema.decodeUnknownEffect(Schema.Union(json!.schemas as ReadonlyArray<Schema.Codec<unknown>>))
  const decodeText = (text: string) => {
    if (text === "") return decode(undefined)
    let parsed: unknown
    try {
      parsed = JSON.parse(text)
    } catch {
      return Effect.fail(new Schema.SchemaError(notJson))
    }
    return decode(parsed)
  }
  return (_, text) => Effect.mapErrorEager(decodeText(text), ({ issue }) => malformed(issue))
}

/** Reads what is in the path. */
const decodePath = ({ params }: HttpApiEndpoint.Top, pattern: RegExp | undefined): Decode => {
  const decode = Schema.decodeUnknownEffect(params as Schema.Codec<unknown>)
  return ({ url }) => Effect.mapErrorEager(decode({ ...pattern?.exec(url)?.groups }), ({ issue }) => malformed(issue))
}

const encodeRefusal = Schema.encodeSync(Schema.Union(Object.values(Refusals)))

/** A refusal as it leaves on the usual way. */
export const refused = (refusal: Refusal): HttpServerResponse.HttpServerResponse => {
  const problem = encodeRefusal(refusal)
  return HttpServerResponse.jsonUnsafe(problem, { status: problem.status, contentType: PROBLEM_TYPE })
}

/** What an endpoint is asked: by whom, what was sent in its body or its path, and with which head. */
export interface Asked<Kind extends CallerKind, Sent> {
  readonly caller: Extract<Caller, { readonly _tag: Kind }>
  readonly sent: Sent
  readonly head: RequestHead
}

/** What the definition says is sent to an endpoint: a body, or else what is in its path. */
type SentTo<Endpoint> = [HttpApiEndpoint.Payload<Endpoint>] extends [never]
  ? HttpApiEndpoint.Params<Endpoint>["Type"]
  : HttpApiEndpoint.Payload<Endpoint>["Type"]

interface Options<Kind extends CallerKind, Answer> {
  /** Who may ask. */
  readonly kind: Kind
  readonly statusOf: (answer: Answer) => number
  /** The answer as the definition's schema writes it, in JSON; none where the status says everything. */
  readonly asJson: (answer: Answer) => string | undefined
}

/** Endpoints of a group that answer alike and differ in what is sent: how each is handled, by its identifier. Types hold both to the definition. */
export const shortcuts = <
  Identifier extends string,
  Endpoints extends Readonly<Record<Identifier, HttpApiEndpoint.Top>>,
  Kind extends CallerKind,
  Answer
>(
  group: { readonly endpoints: Endpoints },
  handlers: {
    readonly [I in Identifier]: (asked: Asked<Kind, SentTo<Endpoints[I]>>) => Effect.Effect<Answer, Refusal>
  },
  { kind, statusOf, asJson }: Options<Kind, Answer>
): Effect.Effect<ReadonlyArray<Shortcut>, never, Admission> =>
  Effect.map(Admission, ({ admit, credentialOf }) =>
    (Object.keys(handlers) as Array<Identifier>).map((identifier): Shortcut => {
      const endpoint = group.endpoints[identifier]
      const handle = handlers[identifier]
      const takesBody = endpoint.payload.size > 0
      const pattern = patternOf(endpoint.path)
      const decode = takesBody ? decodeBody(endpoint) : decodePath(endpoint, pattern)
      const kinds = [kind]
      return {
        method: endpoint.method,
        path: endpoint.path,
        pattern,
        takesBody,
        // The kind was admitted, and the endpoint's own schema says what was sent.
        answer: (head, body) =>
          Effect.flatMapEager(admit(kinds, credentialOf(head), head, endpoint, textOf(body)), ({ caller, text }) =>
            Effect.flatMapEager(decode(head, text), (sent) => handle({ caller, sent, head } as Asked<Kind, never>))
          ),
        plain: (answer) => {
          const status = statusOf(answer as Answer)
          const json = asJson(answer as Answer)
          return json === undefined
            ? HttpServerResponse.empty({ status })
            : { status, json: HttpBody.text(json, "application/json") }
        }
      }
    })
  )
