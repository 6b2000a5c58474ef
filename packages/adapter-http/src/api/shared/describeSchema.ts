/** Completes the schemas of the OpenAPI document: examples, the kinds of problems, and how large numbers are. */
import { EXAMPLES } from "./examples.ts"
import { meaningOf, PROBLEM_URIS, PROBLEMS, type ProblemKind } from "./problems.ts"

/** A schema of the document. */
interface DescribedSchema {
  readonly [keyword: string]: unknown
  readonly contentSchema?: { readonly $ref?: string }
}

/** Maps each value of a record. */
export const mapValues = <A, B>(
  record: Readonly<Record<string, A>>,
  f: (value: A, key: string) => B
): Record<string, B> => Object.fromEntries(Object.entries(record).map(([key, value]) => [key, f(value, key)]))

/** The kinds of problems by their types, for programs that read the document. */
const problemTypes = Object.fromEntries(
  Object.entries(PROBLEMS).map(([kind, [status]]) => [
    PROBLEM_URIS[kind as ProblemKind],
    { status, meaning: meaningOf(kind as ProblemKind) }
  ])
)

/** The example of a component; of one that is the text of another one's JSON, the text of that one's example. */
const exampleOf = (name: string, { contentSchema }: DescribedSchema): unknown =>
  contentSchema?.$ref === undefined
    ? EXAMPLES[name]
    : JSON.stringify(EXAMPLES[contentSchema.$ref.slice(contentSchema.$ref.lastIndexOf("/") + 1)])

/**
 * Says for typed clients how large numbers are: those up to 2^53-1 need 64 bits, and the whole numbers of an enumeration are integers,
 * which clients would read as fractions.
 */
const withIntegers = (json: unknown): unknown => {
  if (typeof json !== "object" || json === null) return json
  if (Array.isArray(json)) return json.map(withIntegers)
  const schema: DescribedSchema = mapValues(json as DescribedSchema, withIntegers)
  const { type, maximum, enum: values } = schema
  if (type === "integer" && maximum === Number.MAX_SAFE_INTEGER) return { ...schema, format: "int64" }
  const isWhole = type === "number" && Array.isArray(values) && values.every(Number.isInteger)
  return isWhole ? { ...schema, type: "integer" } : schema
}

/** Completes a named schema. */
export const describeSchema = (schema: DescribedSchema, name: string): DescribedSchema => {
  const example = exampleOf(name, schema)
  return {
    ...(withIntegers(schema) as DescribedSchema),
    ...(name === "Problem" && { "x-problem-types": problemTypes }),
    ...(example !== undefined && { examples: [example] })
  }
}
