/** JSON schemas of the OpenAPI document, as text to read and as examples. */
import { type Html, html, joined, type Part } from "./html.ts"

/** What the document's schemas use of JSON Schema. */
export interface Schema {
  readonly $ref?: string
  readonly type?: string
  readonly description?: string
  readonly enum?: ReadonlyArray<unknown>
  readonly anyOf?: ReadonlyArray<Schema>
  readonly oneOf?: ReadonlyArray<Schema>
  readonly allOf?: ReadonlyArray<Schema>
  readonly not?: Schema
  readonly items?: Schema | false
  readonly properties?: Readonly<Record<string, Schema>>
  readonly required?: ReadonlyArray<string>
  readonly contentSchema?: Schema
  readonly examples?: ReadonlyArray<unknown>
  readonly [constraint: string]: unknown
}

export type Schemas = Readonly<Record<string, Schema>>

/** The name of a schema that is referred to. */
export const nameOf = (reference: string): string => reference.slice(reference.lastIndexOf("/") + 1)

/** The constraints that are shown, with their words. The range of safe integers is that of every integer, and is left out. */
const CONSTRAINTS = {
  minimum: "at least",
  exclusiveMinimum: "more than",
  maximum: "at most",
  exclusiveMaximum: "less than",
  minLength: "characters, at least",
  maxLength: "characters, at most",
  minItems: "items, at least",
  maxItems: "items, at most",
  pattern: "matches",
  format: "format"
} as const

const constraintsOf = (schema: Schema): ReadonlyArray<string> => [
  ...Object.entries(CONSTRAINTS).flatMap(([name, words]) => {
    const value = schema[name]
    const isUsual = value === "int64" || Math.abs(Number(value)) === Number.MAX_SAFE_INTEGER
    return value === undefined || isUsual ? [] : [`${words} ${value}`]
  }),
  ...(schema.allOf ?? []).flatMap(constraintsOf)
]

const fields = ({ properties = {}, required = [] }: Schema): Html =>
  html`<ul>
    ${Object.entries(properties).map(
      ([name, of]) =>
        html`<li>
          <code>${name}</code>${required.includes(name) ? "" : " (optional)"}:
          ${typeOf(of)}${of.description === undefined ? "" : `. ${of.description}`}
        </li>`
    )}
  </ul>`

/** What values of a schema are, in words; named schemas are links. */
export const typeOf = (schema: Schema): Part => {
  if (schema.$ref !== undefined) return html`<a href="#${nameOf(schema.$ref)}">${nameOf(schema.$ref)}</a>`
  const choices = schema.anyOf ?? schema.oneOf
  if (choices !== undefined) return joined(choices.map(typeOf), " or ")
  if (schema.enum !== undefined) {
    return joined(
      schema.enum.map((value) => html`<code>${JSON.stringify(value)}</code>`),
      " or "
    )
  }
  if (schema.contentSchema !== undefined) return ["text that is JSON of ", typeOf(schema.contentSchema)]
  if (schema.not !== undefined && schema.type === undefined) return "nothing"
  if (schema.type === "object") return schema.properties === undefined ? "object" : fields(schema)
  const constraints = constraintsOf(schema)
  const suffix = constraints.length === 0 ? "" : ` (${constraints.join(", ")})`
  if (schema.type === "array") return [`list${suffix} of `, schema.items ? typeOf(schema.items) : "values"]
  return `${schema.type ?? "any value"}${suffix}`
}

/** A value that a form may begin with: the schema's own example, or one that is made of its required parts. */
export const exampleOf = (schema: Schema, schemas: Schemas): unknown => {
  if (schema.examples !== undefined) return schema.examples[0]
  if (schema.$ref !== undefined) return exampleOf(schemas[nameOf(schema.$ref)] ?? {}, schemas)
  const choice = (schema.anyOf ?? schema.oneOf)?.[0]
  if (choice !== undefined) return exampleOf(choice, schemas)
  if (schema.enum !== undefined) return schema.enum[0]
  if (schema.type === "array") return schema.items ? [exampleOf(schema.items, schemas)] : []
  if (schema.type === "object") {
    const { properties = {}, required = [] } = schema
    return Object.fromEntries(required.map((name) => [name, exampleOf(properties[name] ?? {}, schemas)]))
  }
  return { integer: 1, number: 1, boolean: true }[schema.type ?? ""] ?? "..."
}
