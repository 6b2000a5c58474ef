/** Schemas of the OpenAPI document as types of TypeScript. */
import type { Schema } from "../../site/reference/document.ts"

/** A component that stands for JSON in a text, as in the data of server-sent events. */
interface TextSchema extends Schema {
  readonly contentSchema?: Schema
  readonly not?: Schema
}

export type Components = Readonly<Record<string, Schema>>

const union = (types: ReadonlyArray<string>): string => [...new Set(types)].join(" | ")

const inList = (type: string): string => `ReadonlyArray<${type}>`

const properties = (schema: Schema, components: Components): string =>
  Object.entries(schema.properties ?? {})
    .map(([name, property]) => {
      const isRequired = schema.required?.includes(name) === true
      return `readonly ${JSON.stringify(name)}${isRequired ? "" : "?"}: ${typeOf(property, components)}${isRequired ? "" : " | undefined"}`
    })
    .join("; ")

/** The type of what a schema describes. Named components stay names, but for those that are texts of JSON. */
export const typeOf = (schema: TextSchema, components: Components): string => {
  if (schema.$ref !== undefined) {
    const name = schema.$ref.slice(schema.$ref.lastIndexOf("/") + 1)
    const { contentSchema }: TextSchema = components[name]!
    return contentSchema === undefined ? name : typeOf(contentSchema, components)
  }
  if (schema.contentSchema !== undefined) return typeOf(schema.contentSchema, components)
  const choices = schema.anyOf ?? schema.oneOf
  if (choices !== undefined) return union(choices.map((choice) => typeOf(choice, components)))
  if (schema.allOf !== undefined)
    return typeOf({ ...schema, allOf: undefined!, ...Object.assign({}, ...schema.allOf) }, components)
  if (schema.enum !== undefined) return union(schema.enum.map((value) => JSON.stringify(value)))
  switch (schema.type) {
    case "string":
    case "boolean":
    case "null":
      return schema.type
    case "integer":
    case "number":
      return "number"
    case "array":
      return inList(typeOf(schema.items ?? {}, components))
    case "object":
      return schema.properties === undefined ? "object" : `{ ${properties(schema, components)} }`
    default:
      if (schema.not !== undefined) return "object"
      throw new Error(`no type is known for ${JSON.stringify(schema)}`)
  }
}

/** Every component as a type that is exported. */
export const declarations = (components: Components): string =>
  Object.entries(components)
    .filter(([, schema]) => (schema as TextSchema).contentSchema === undefined)
    .sort(([one], [other]) => (one < other ? -1 : 1))
    .map(([name, schema]) =>
      schema.properties === undefined
        ? `export type ${name} = ${typeOf(schema, components)}`
        : `export interface ${name} { ${properties(schema, components)} }`
    )
    .join("\n\n")
