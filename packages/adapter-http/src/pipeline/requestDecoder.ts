/** Decodes the parts of a request: its path, headers, query and body. Refuses what cannot be decoded. */
import { faultsOf } from "@sojourn/core"
import * as Effect from "effect/Effect"
import type * as HttpApiEndpoint from "effect/http-api/HttpApiEndpoint"
import * as Schema from "effect/Schema"
import * as SchemaAST from "effect/SchemaAST"
import type * as SchemaIssue from "effect/SchemaIssue"
import { BadRequest } from "../api/shared/refusals.ts"
import { pathOf, type RequestHead } from "./requestHead.ts"

/** Effect's word for a field that is not there, which holds nothing of the client's. */
const MISSING = "Missing key"

/** Each part once: the members of a union often miss the same. */
const joinDistinct = (parts: ReadonlyArray<string>): string => [...new Set(parts)].join("; ")

/** The refusal of a part of a request, `sent`, that cannot be decoded. */
const malformed = (issue: SchemaIssue.Issue, sent: unknown): BadRequest => {
  const faults = faultsOf(issue, sent)
  return new BadRequest({
    detail: joinDistinct(
      faults.map(({ where, expected, got }) => `${where === "" ? "" : `${where}: `}${expected}${got}`)
    ),
    logged: joinDistinct(
      faults.map(({ where, expected }) => `${where || "the request"}: ${expected === MISSING ? MISSING : "malformed"}`)
    )
  })
}

/** Reads a part of a request. */
type Read = (request: {
  readonly head: RequestHead
  readonly params: Readonly<Record<string, string>>
  readonly content: string | Uint8Array
}) => unknown

type Decoder = (sent: unknown) => Effect.Effect<unknown, BadRequest>

const decoderOf = (schema: Schema.Constraint): Decoder => {
  const decode = Schema.decodeUnknownEffect(schema as unknown as Schema.Codec<unknown>)
  return (sent) => Effect.mapErrorEager(decode(sent), ({ issue }) => malformed(issue, sent))
}

const membersOf = (ast: SchemaAST.AST): ReadonlyArray<SchemaAST.AST> =>
  SchemaAST.isUnion(ast) ? ast.types.flatMap(membersOf) : [ast]

/** The literals that a field of a struct may have; undefined for other fields. */
const literalsOf = (struct: SchemaAST.Objects, field: PropertyKey): ReadonlyArray<unknown> | undefined => {
  const signature = struct.propertySignatures.find(({ name }) => name === field)
  const types = signature === undefined ? [] : membersOf(SchemaAST.toEncoded(signature.type))
  return types.length > 0 && types.every(SchemaAST.isLiteral) ? types.map(({ literal }) => literal) : undefined
}

/**
 * Decodes a body of several kinds as the one that a literal field of it names, which decides what else is looked at (spec:
 * http#kind-of-movement). The union alone would try each kind, and report each failure: a wrong time of an entrance would be a wrong
 * kind of an exit as well.
 */
const decoderByKind = (schema: Schema.Constraint): Decoder => {
  const decodeAny = decoderOf(schema)
  const kinds = membersOf(schema.ast)
  if (kinds.length < 2 || !kinds.every(SchemaAST.isObjects)) return decodeAny
  const field = kinds[0]!.propertySignatures.find(({ name }) =>
    kinds.every((kind) => literalsOf(kind, name) !== undefined)
  )?.name
  if (field === undefined) return decodeAny
  const byKind = new Map(
    kinds.flatMap((kind) => {
      const decode = decoderOf(Schema.make(kind))
      return literalsOf(kind, field)!.map((literal) => [literal, decode] as const)
    })
  )
  return (sent) => {
    const named = typeof sent === "object" && sent !== null ? (sent as Record<PropertyKey, unknown>)[field] : undefined
    return (byKind.get(named) ?? decodeAny)(sent)
  }
}

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

/** The refusal of a body that is not what its media type says: there is no value to name. */
const unreadable = (detail: string) => new BadRequest({ detail, logged: "the request: malformed" })

const notJson = unreadable("Expected a valid JSON body")

/** A parameter's name may be the client's own: it is not named. */
const sentTwice = unreadable("A parameter of the form is sent twice")

/** `URLSearchParams` replaces what is no UTF-8, and keeps escapes that are none. */
const isWellEscaped = (form: string): boolean => {
  try {
    decodeURIComponent(form)
    return true
  } catch {
    return false
  }
}

const badlyEscaped = unreadable("Expected escapes of the form to be UTF-8")

const decodePayload = ({ payload }: HttpApiEndpoint.Top): Decoder | undefined => {
  const [sent, ...others] = payload.values()
  if (sent === undefined) return undefined
  if (sent.encoding._tag === "Uint8Array") return Effect.succeed
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
  const decode = decoderByKind(schema)
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
  const parts: Array<{ readonly name: string; readonly read: Read; readonly decode: Decoder }> = []
  const { params, headers, query } = endpoint
  if (params !== undefined) parts.push({ name: "params", read: (of) => decoded(of.params), decode: decoderOf(params) })
  if (headers !== undefined) parts.push({ name: "headers", read: (of) => of.head.headers, decode: decoderOf(headers) })
  if (query !== undefined) {
    parts.push({
      name: "query",
      read: ({ head: { url } }) => listed(new URLSearchParams(url.slice(pathOf(url).length))),
      decode: decoderOf(Schema.toCodecArrayFromSingle(query as unknown as Schema.Codec<unknown>))
    })
  }
  const payload = decodePayload(endpoint)
  if (payload !== undefined) parts.push({ name: "payload", read: ({ content }) => content, decode: payload })
  return parts
}

/** Compiles the decoder of an endpoint's requests. It returns the parts by their names. */
export const compileRequestDecoder = (endpoint: HttpApiEndpoint.Top) => {
  const parts = partsOf(endpoint)
  return (
    head: RequestHead,
    params: Readonly<Record<string, string>>,
    content: string | Uint8Array
  ): Effect.Effect<Readonly<Record<string, unknown>>, BadRequest> => {
    const byName: Record<string, unknown> = {}
    const decodeFrom = (index: number): Effect.Effect<Readonly<Record<string, unknown>>, BadRequest> => {
      const part = parts[index]
      if (part === undefined) return Effect.succeed(byName)
      const sent = part.read({ head, params, content })
      return Effect.flatMapEager(part.decode(sent), (value) => {
        byName[part.name] = value
        return decodeFrom(index + 1)
      })
    }
    return decodeFrom(0)
  }
}
