/** Shapes of JSON in words. */
import type { Document, Schema } from "./document.ts"

const nameOf = ($ref: string): string => $ref.slice($ref.lastIndexOf("/") + 1)

const alternatives = (schema: Schema): ReadonlyArray<Schema> | undefined => schema.anyOf ?? schema.oneOf

const typeNames = (schema: Schema): string => [schema.type ?? "anything"].flat().join(" or ")

/** Bounds of the type itself say nothing: 2^53-1 is the largest integer of JSON's clients. */
const bounds = ({ minimum, maximum, minLength, maxLength }: Schema): string => {
  const least = minimum === -Number.MAX_SAFE_INTEGER ? undefined : (minimum ?? minLength)
  const most = maximum === Number.MAX_SAFE_INTEGER ? undefined : (maximum ?? maxLength)
  const unit = minLength === undefined && maxLength === undefined ? "" : " characters"
  if (least !== undefined && most !== undefined) return `, ${least} to ${most}${unit}`
  if (least !== undefined) return `, at least ${least}${unit}`
  return most === undefined ? "" : `, at most ${most}${unit}`
}

/** What a value may be, in a few words, with links to the shapes that have a name. */
export const inWords = (schema: Schema): string => {
  if (schema.$ref !== undefined) return `[${nameOf(schema.$ref)}](./shapes.md#${nameOf(schema.$ref).toLowerCase()})`
  const choices = alternatives(schema)
  if (choices !== undefined) return [...new Set(choices.map(inWords))].join(" or ")
  // What holds besides is a bound or a pattern of the same value.
  if (schema.allOf !== undefined)
    return inWords({ ...schema, allOf: undefined!, ...Object.assign({}, ...schema.allOf) })
  if (schema.const !== undefined) return `\`${JSON.stringify(schema.const)}\``
  if (schema.enum !== undefined) return schema.enum.map((one) => `\`${JSON.stringify(one)}\``).join(", ")
  if (schema.type === "array" && schema.items !== undefined) return `list of ${inWords(schema.items)}`
  return `${typeNames(schema)}${schema.format === undefined || schema.format === "int64" ? "" : ` (${schema.format})`}${bounds(schema)}`
}

const cell = (text: string): string => text.replaceAll("|", "\\|").replaceAll("<", "&lt;").replaceAll("\n", " ")

export const table = (head: ReadonlyArray<string>, rows: ReadonlyArray<ReadonlyArray<string>>): string =>
  [head, head.map(() => "---"), ...rows].map((row) => `| ${row.map(cell).join(" | ")} |`).join("\n")

/** The fields of an object, in a table. */
const fields = (schema: Schema): string =>
  table(
    ["Field", "Is", "Meaning"],
    Object.entries(schema.properties ?? {}).map(([name, field]) => [
      `\`${name}\`${schema.required?.includes(name) === true ? "" : " (optional)"}`,
      inWords(field),
      field.description ?? ""
    ])
  )

const example = ({ examples }: Schema): string =>
  (examples ?? []).map((one) => `\n\`\`\`json\n${JSON.stringify(one, undefined, 2)}\n\`\`\`\n`).join("")

/** Every shape that has a name, in alphabetical order. */
export const shapes = ({ components }: Document): string =>
  Object.entries(components.schemas)
    .sort(([one], [other]) => (one < other ? -1 : 1))
    .map(([name, schema]) => {
      const description = schema.description === undefined ? "" : `${schema.description}\n\n`
      return `## ${name}\n\n${description}${schema.properties === undefined ? inWords(schema) : fields(schema)}\n${example(schema)}`
    })
    .join("\n")
