import type { Caller, CallerKind } from "@sojourn/core"
import * as Effect from "effect/Effect"
import * as HttpApi from "effect/http-api/HttpApi"
import * as HttpApiBuilder from "effect/http-api/HttpApiBuilder"
import type * as HttpApiEndpoint from "effect/http-api/HttpApiEndpoint"
import * as HttpApiSecurity from "effect/http-api/HttpApiSecurity"
import * as HttpServerRequest from "effect/http/HttpServerRequest"
import * as HttpServerResponse from "effect/http/HttpServerResponse"
import type * as Redacted from "effect/Redacted"
import * as Schema from "effect/Schema"
import * as SchemaIssue from "effect/SchemaIssue"
import { SojournApi } from "../api/index.ts"
import { type BadRequest, PROBLEM_TYPE, type Refusal, Refusals } from "../api/refusals.ts"
import type { Admission } from "./admission.ts"
import { takeText } from "./body.ts"
import { malformed, notEncodable } from "./malformed.ts"

/**
 * One endpoint of the definition, answered without the machinery that serves all kinds of endpoints: its path does not vary,
 * it takes one JSON body, and answers one shape per status. What is checked, and in which order, is `Admission`'s matter here
 * as there, and the schemas are the definition's own. `test/shortcuts.test.ts` compares the two answers byte by byte.
 */
export interface Shortcut {
  readonly method: string
  readonly path: string
  readonly answer: Effect.Effect<HttpServerResponse.HttpServerResponse, never, HttpServerRequest.HttpServerRequest>
}

interface Definition {
  readonly endpoint: HttpApiEndpoint.Top
  readonly successes: ReadonlyMap<number, readonly [Schema.Top, ...ReadonlyArray<Schema.Top>]>
}

const definitionOf = (identifier: string): Definition => {
  const found: Array<Definition> = []
  HttpApi.reflect(SojournApi, {
    predicate: ({ endpoint }) => endpoint.identifier === identifier,
    onGroup: () => {},
    onEndpoint: (definition) => found.push(definition)
  })
  return found[0]!
}

/** The services of a bearer's scheme are those of any scheme; it reads the request's head alone. */
const credential = HttpApiBuilder.securityDecode(HttpApiSecurity.bearer) as Effect.Effect<
  Redacted.Redacted,
  never,
  HttpServerRequest.HttpServerRequest
>

const notJson = new SchemaIssue.InvalidValue({ message: "Expected a valid JSON body" })

const makeDecode = ({ payload }: HttpApiEndpoint.Top) => {
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
  return (text: string): Effect.Effect<unknown, BadRequest> =>
    Effect.mapErrorEager(decodeText(text), ({ issue }) => malformed(issue))
}

const makeEncode = ({ endpoint, successes }: Definition) => {
  const encoders = new Map(
    [...successes].map(([status, [schema]]) => [status, Schema.encodeUnknownEffect(schema as Schema.Codec<unknown>)])
  )
  return (status: number, answer: unknown) =>
    Effect.mapEager(
      Effect.catchEager(encoders.get(status)!(answer), ({ issue }) => Effect.die(notEncodable(endpoint, issue))),
      (body) => HttpServerResponse.jsonUnsafe(body, { status })
    )
}

const encodeRefusal = Schema.encodeSync(Schema.Union(Object.values(Refusals)))

const refused = (refusal: Refusal) => {
  const problem = encodeRefusal(refusal)
  return HttpServerResponse.jsonUnsafe(problem, { status: problem.status, contentType: PROBLEM_TYPE })
}

/** The endpoint that the definition knows by this identifier, for callers of one kind. */
export const shortcut = <Kind extends CallerKind, Payload, Answer>(
  identifier: string,
  { admit }: Admission["Service"],
  options: {
    readonly kind: Kind
    readonly handle: (
      caller: Extract<Caller, { readonly _tag: Kind }>,
      payload: Payload,
      request: HttpServerRequest.HttpServerRequest
    ) => Effect.Effect<Answer, Refusal>
    readonly statusOf: (answer: Answer) => number
  }
): Shortcut => {
  const definition = definitionOf(identifier)
  const { endpoint } = definition
  const decode = makeDecode(endpoint)
  const encode = makeEncode(definition)
  const kinds = [options.kind]
  const answer = Effect.gen(function* () {
    const request = yield* HttpServerRequest.HttpServerRequest
    const { caller, text } = yield* admit(kinds, yield* credential, request, endpoint, takeText)
    const payload = yield* decode(text)
    const answered = yield* options.handle(caller as never, payload as Payload, request)
    return yield* encode(options.statusOf(answered), answered)
  })
  return {
    method: endpoint.method,
    path: endpoint.path,
    answer: Effect.interruptible(Effect.catch(answer, (refusal) => Effect.succeed(refused(refusal))))
  }
}
