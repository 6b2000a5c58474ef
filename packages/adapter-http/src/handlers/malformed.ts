import * as SchemaIssue from "effect/SchemaIssue"
import { BadRequest } from "../api/refusals.ts"

const format = SchemaIssue.makeFormatterStandardSchemaV1()

/** Where something does not have the shape that it should have, and what was expected there. */
export const faultsOf = (issue: SchemaIssue.Issue) =>
  format(issue).issues.map(({ path, message }) => ({
    where: (path ?? []).map((part) => String(typeof part === "object" ? part.key : part)).join("."),
    message
  }))

/** What cannot be decoded is refused, and those who ask are told which part of the request is wrong. */
export const malformed = (issue: SchemaIssue.Issue): BadRequest =>
  new BadRequest({
    detail: faultsOf(issue)
      .map(({ where, message }) => (where === "" ? message : `${where}: ${message}`))
      .join("; ")
  })

/**
 * What the service itself cannot encode is a bug of the service: it ends as a defect, and in the log. The log gets the places
 * alone: the values are somebody's, and one of them may be an exit token.
 */
export const notEncodable = (
  { method, path }: { readonly method: string; readonly path: string },
  issue: SchemaIssue.Issue
): Error => {
  const places = faultsOf(issue).map(({ where }) => where)
  return new Error(`the answer of ${method} ${path} cannot be encoded: ${places.join(", ")}`)
}
