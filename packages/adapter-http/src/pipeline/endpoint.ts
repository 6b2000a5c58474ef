/** Compiles an endpoint of the `HttpApi` definition with its handler. */
import type { Administrator, AnyCaller, CallerKind, DeviceCaller, DisplayCaller, Operator, User } from "@sojourn/core"
import * as Effect from "effect/Effect"
import type * as HttpApiEndpoint from "effect/http-api/HttpApiEndpoint"
import type * as HttpApiGroup from "effect/http-api/HttpApiGroup"
import * as Schema from "effect/Schema"
import * as SchemaAST from "effect/SchemaAST"
import * as callers from "../api/shared/callers.ts"
import type { Refusal } from "../api/shared/refusals.ts"
import { compileJsonEncoder, NotEncodable } from "../wire/shared/jsonEncoder.ts"
import type { Admission } from "./admission.ts"
import { type Answer, empty, json } from "./answer.ts"
import { LARGEST_BODY } from "../api/shared/largestBody.ts"
import { type Body, checkPreconditions, largestBodyOf, takesBytes } from "./body.ts"
import { IMAGES, IMPORTS, makeContentBounds } from "./overload.ts"
import { compileRequestDecoder } from "./requestDecoder.ts"
import type { RequestHead } from "./requestHead.ts"

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
          : Provided extends callers.CurrentDevice
            ? DeviceCaller
            : Provided extends callers.CurrentCaller
              ? User | Administrator
              : Provided extends callers.CurrentReader
                ? Administrator | DisplayCaller
                : Provided extends callers.CurrentVisitor
                  ? User | Administrator | DisplayCaller
                  : never
  : never

type Part<Name extends string, S> = [S] extends [never]
  ? unknown
  : S extends { readonly Type: infer Type }
    ? { readonly [N in Name]: Type }
    : unknown

/** An admitted and decoded request. */
export type DecodedRequest<Endpoint> = { readonly caller: CallerOf<Endpoint>; readonly head: RequestHead } & Part<
  "params",
  HttpApiEndpoint.Params<Endpoint>
> &
  Part<"query", HttpApiEndpoint.Query<Endpoint>> &
  Part<"headers", HttpApiEndpoint.Headers<Endpoint>> &
  Part<"payload", HttpApiEndpoint.Payload<Endpoint>>

type SuccessOf<Endpoint> =
  HttpApiEndpoint.Success<Endpoint> extends infer S ? (S extends { readonly Type: infer Type } ? Type : never) : never

/** A success with a body that the handler has encoded, such as the stream of a long list. */
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
  request: DecodedRequest<Endpoint>
) => Effect.Effect<SuccessOf<Endpoint> | RawBody, HttpApiEndpoint.Errors<Endpoint>>

/** The handlers of a group, by the identifiers of its endpoints. */
export type GroupHandlers<Group extends HttpApiGroup.Constraint> = {
  readonly [Endpoint in HttpApiGroup.Endpoints<Group> as HttpApiEndpoint.Identifier<Endpoint>]: Handler<Endpoint>
}

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
  [callers.AdministratorsAndDisplays.key, ["Administrator", "Display"]],
  [callers.UsersAdministratorsAndDisplays.key, ["User", "Administrator", "Display"]],
  [callers.Operators.key, ["Operator"]],
  [callers.Devices.key, ["Device"]]
]

/** The kinds of callers that an endpoint admits, from the middleware in its definition; undefined for no restriction. */
const kindsOf = ({ middlewares }: HttpApiEndpoint.Top): ReadonlyArray<CallerKind> | undefined => {
  const named = new Set(Array.from(middlewares, ({ key }) => key))
  return KINDS.find(([key]) => named.has(key))?.[1]
}

const httpApiStatusOf = SchemaAST.resolveAt<number>("httpApiStatus")

/** The status that an endpoint answers with a success of this schema. */
const statusOf = ({ ast }: Schema.Constraint): number =>
  httpApiStatusOf(ast) ?? (ast.context?.annotations?.["httpApiStatus"] as number | undefined) ?? 200

/** Compiles the test whether a value is of a success schema, by its outer shape, where an endpoint has several. */
const guardOf = (ast: SchemaAST.AST): ((value: any) => boolean) => {
  switch (ast._tag) {
    case "Undefined":
    case "Void":
      return (value) => value === undefined
    case "Arrays":
      return Array.isArray
    case "Objects": {
      const tags = ast.propertySignatures.flatMap(({ name, type }) =>
        type._tag === "Literal" ? [[name as string, type.literal] as const] : []
      )
      return (value) => typeof value === "object" && value !== null && tags.every(([name, tag]) => value[name] === tag)
    }
    default:
      return Schema.is(Schema.make<Schema.Codec<unknown>>(ast))
  }
}

const hasNoBody = ({ _tag }: SchemaAST.AST): boolean => _tag === "Undefined" || _tag === "Void"

/** The status of a success, and its JSON text unless it has no body. */
export interface EncodedSuccess {
  readonly status: number
  readonly json: string | undefined
}

/** Compiles the encoder of an endpoint's successes: the value decides which of its schemas, and so which status, is answered. */
export const compileSuccessEncoder = (schemas: Iterable<Schema.Constraint>): ((value: unknown) => EncodedSuccess) => {
  const members = Array.from(schemas, (schema) => ({
    status: statusOf(schema),
    isOf: guardOf(schema.ast),
    encode: hasNoBody(schema.ast) ? undefined : compileJsonEncoder(schema)
  }))
  const [only] = members
  const find = members.length === 1 ? () => only : (value: unknown) => members.find(({ isOf }) => isOf(value))
  return (value) => {
    const member = find(value)
    if (member === undefined) throw new NotEncodable("")
    return { status: member.status, json: member.encode?.(value) }
  }
}

const NO_CALLER: Effect.Effect<AnyCaller | undefined> = Effect.succeed(undefined)

/**
 * Compiles an endpoint of the definition with its handler: the checks in their order (spec: http#order-of-checks), then the
 * handler, then the encoder of its successes.
 */
export const compileEndpoint = (
  endpoint: HttpApiEndpoint.Top,
  handler: (request: never) => Effect.Effect<unknown, unknown>,
  admission: Admission["Service"]
): CompiledEndpoint => {
  const kinds = kindsOf(endpoint)
  const admit = (head: RequestHead) => (kinds === undefined ? NO_CALLER : admission.admit(kinds, head))
  const decode = compileRequestDecoder(endpoint)
  const encode = compileSuccessEncoder(endpoint.success)
  const { method, path } = endpoint
  const takeContent = takesBytes(endpoint)
    ? makeContentBounds(largestBodyOf(endpoint) > LARGEST_BODY ? IMPORTS : IMAGES)
    : undefined
  /** Reads and checks the body. There is room for an image or an import before it is read. */
  const read = (head: RequestHead, body: Body, caller: AnyCaller | undefined) =>
    takeContent === undefined || caller === undefined
      ? checkPreconditions(head, endpoint, body)
      : Effect.andThen(takeContent(caller), checkPreconditions(head, endpoint, body))

  /** A request of a display that is accepted is a sign of life. */
  const noteAccepted = (caller: AnyCaller | undefined, handled: Effect.Effect<unknown, Refusal>) =>
    caller?._tag === "Display" ? Effect.tap(handled, () => admission.noteSighting(caller)) : handled

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
      Effect.flatMapEager(admit(head), (caller) =>
        Effect.flatMapEager(read(head, body, caller), (content) =>
          Effect.flatMapEager(decode(head, params, content), (parts) =>
            Effect.flatMapEager(
              noteAccepted(caller, handler({ ...parts, caller, head } as never) as Effect.Effect<unknown, Refusal>),
              toAnswer
            )
          )
        )
      )
  }
}
