/** Compiles schemas of answers to encoders that write JSON text. */
import * as Schema from "effect/Schema"
import * as SchemaAST from "effect/SchemaAST"
import type { JsonText } from "./jsonText.ts"

/** The service made a value that the schema of its answer does not describe: a bug. It names the place alone. */
export class NotEncodable extends Error {
  constructor(place: string) {
    super(`an answer cannot be encoded at ${place === "" ? "its root" : place}`)
  }
}

const jsonTextOf = SchemaAST.resolveAt<JsonText>("~sojourn/jsonText")
const omitsUndefinedOf = SchemaAST.resolveAt<true>("~sojourn/omitsUndefined")

/** A character that JSON escapes, or may escape. */
const ESCAPED = /[^\x20\x21\x23-\x5b\x5d-\x7e]/

/** Up to this length, in characters, a search for characters to escape costs less than `JSON.stringify`. */
const SHORT_TEXT = 64

const string: JsonText = (value) => {
  if (typeof value !== "string") return undefined
  return value.length <= SHORT_TEXT && !ESCAPED.test(value) ? `"${value}"` : JSON.stringify(value)
}
const number: JsonText = (value) => (Number.isFinite(value) ? String(value) : undefined)
const boolean: JsonText = (value) => (typeof value === "boolean" ? String(value) : undefined)

const literal = (...literals: ReadonlyArray<unknown>): JsonText => {
  const texts = new Map(literals.map((value) => [value, JSON.stringify(value)]))
  return (value) => texts.get(value)
}

/** The schema's own encoder: right for every schema, and several times as slow as one that was compiled. */
const interpreted = (ast: SchemaAST.AST): JsonText => {
  const encode = Schema.encodeUnknownOption(Schema.make<Schema.Codec<unknown>>(ast))
  return (value) => {
    const encoded = encode(value)
    return encoded._tag === "Some" ? JSON.stringify(encoded.value) : undefined
  }
}

const list = (ast: SchemaAST.AST, place: string): JsonText => {
  const at = `${place}[]`
  const item = compile(ast, at)
  return (value) => {
    if (!Array.isArray(value)) return undefined
    let text = ""
    for (let i = 0; i < value.length; i++) {
      const written = item(value[i])
      if (written === undefined) throw new NotEncodable(at)
      text += i === 0 ? written : `,${written}`
    }
    return `[${text}]`
  }
}

const struct = ({ propertySignatures }: SchemaAST.Objects, place: string): JsonText => {
  const fields = propertySignatures.map(({ name, type }) => {
    const key = String(name)
    const at = place === "" ? key : `${place}.${key}`
    const omitsUndefined = omitsUndefinedOf(type) === true
    const isOptional = omitsUndefined || type.context?.isOptional === true
    return { key, at, isOptional, write: compile(omitsUndefined ? type.encoding![0].to : type, at) }
  })
  // Fields that are always there come with their separators; where the first one may be left out, the first that is there has none.
  const labels = fields.map(({ key }, nth) => `${nth === 0 ? "" : ","}${JSON.stringify(key)}:`)
  const mayBeginLater = fields[0]?.isOptional === true
  return (value) => {
    if (typeof value !== "object" || value === null) return undefined
    let text = ""
    for (let i = 0; i < fields.length; i++) {
      const { key, at, isOptional, write } = fields[i]!
      const field = value[key]
      if (isOptional && field === undefined) continue
      const written = write(field)
      if (written === undefined) throw new NotEncodable(at)
      text += mayBeginLater && text === "" && i > 0 ? labels[i]!.slice(1) + written : labels[i]! + written
    }
    return `{${text}}`
  }
}

const compile = (ast: SchemaAST.AST, place: string): JsonText => {
  const own = jsonTextOf(ast)
  if (own !== undefined) return own
  if (ast.encoding !== undefined) return interpreted(ast)
  switch (ast._tag) {
    case "String":
      return string
    case "Number":
      return number
    case "Boolean":
      return boolean
    case "Literal":
      return literal(ast.literal)
    case "Union":
      return ast.types.every(({ _tag }) => _tag === "Literal")
        ? literal(...ast.types.map((type) => (type as SchemaAST.Literal).literal))
        : interpreted(ast)
    case "Arrays":
      return ast.elements.length === 0 && ast.rest.length === 1 ? list(ast.rest[0]!, place) : interpreted(ast)
    case "Objects":
      return ast.indexSignatures.length === 0 ? struct(ast, place) : interpreted(ast)
    default:
      return interpreted(ast)
  }
}

/**
 * Compiles the encoder of a schema: it writes values as JSON text, letter by letter as the schema's own encoder and
 * `JSON.stringify` would, at a small part of their cost. It throws {@link NotEncodable} on a value of another type; checks of the
 * schema (lengths, ranges) are not repeated, since values of the domain passed them when they were made.
 */
export const compileJsonEncoder = (schema: Schema.Constraint): ((value: unknown) => string) => {
  const write = compile(schema.ast, "")
  return (value) => {
    const text = write(value)
    if (text === undefined) throw new NotEncodable("")
    return text
  }
}
