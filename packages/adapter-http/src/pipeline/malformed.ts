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
