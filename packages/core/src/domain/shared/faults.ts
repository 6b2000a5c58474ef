/** What is wrong with a value that does not have the shape of a schema: for the author of the value, and for no log. */
import * as SchemaIssue from "effect/SchemaIssue"

const format = /* @__PURE__ */ SchemaIssue.makeFormatterStandardSchemaV1()

/** Names of members that hold secrets, whose values are not repeated: programs log the errors that they get. */
const SECRET = /password|token|secret/i

/** The most characters of a text that are repeated. */
const MAX_REPEATED = 40

/** A value for its author: texts are quoted and cut, and what has members is named by its kind. */
const describe = (value: unknown): string => {
  if (typeof value === "string") {
    return JSON.stringify(value.length > MAX_REPEATED ? `${value.slice(0, MAX_REPEATED)}…` : value)
  }
  if (typeof value === "bigint") return `${value}n`
  if (typeof value === "function") return "a function"
  if (typeof value !== "object" || value === null) return String(value)
  if (Array.isArray(value)) return "an array"
  return value.constructor === Object ? "an object" : `a ${value.constructor?.name ?? "record"}`
}

const memberOf = (value: unknown, name: string): unknown =>
  typeof value === "object" && value !== null && Object.hasOwn(value, name)
    ? (value as Readonly<Record<string, unknown>>)[name]
    : undefined

/** A member that is wrong. */
export interface Fault {
  /** The member, as `owner.mail`; empty for the value itself. */
  readonly where: string
  /** What was expected there. It holds nothing of the value. */
  readonly expected: string
  /** What is there, as `, got "ada"`; empty where there is nothing, or a secret. */
  readonly got: string
}

/** The faults of a value, for which a schema answered an issue. */
export const faultsOf = (issue: SchemaIssue.Issue, value: unknown): ReadonlyArray<Fault> =>
  format(issue).issues.map(({ path = [], message }) => {
    const names = path.map((part) => String(typeof part === "object" ? part.key : part))
    const found = names.reduce(memberOf, value)
    const isRepeated = (found !== undefined || names.length === 0) && !names.some((name) => SECRET.test(name))
    return { where: names.join("."), expected: message, got: isRepeated ? `, got ${describe(found)}` : "" }
  })
