/**
 * Refuses requests that cannot be decoded. The problem names the part that is wrong and what was expected there; the log names
 * the part, and nothing that was sent.
 */
import * as SchemaIssue from "effect/SchemaIssue"
import { BadRequest } from "../api/shared/refusals.ts"
import { ofKind } from "./ofKind.ts"

const format = SchemaIssue.makeFormatterStandardSchemaV1()

/** Where something does not have the shape that it should have, and what was expected there. */
export const faultsOf = (issue: SchemaIssue.Issue) =>
  format(issue).issues.map(({ path, message }) => ({
    where: (path ?? []).map((part) => String(typeof part === "object" ? part.key : part)).join("."),
    message
  }))

/** Effect's word for a field that is not there, which holds nothing of the client's. */
const MISSING = "Missing key"

/** Each part once: the members of a union often miss the same. */
const joinDistinct = (parts: ReadonlyArray<string>): string => [...new Set(parts)].join("; ")

export const malformed = (issue: SchemaIssue.Issue): BadRequest => {
  const faults = faultsOf(ofKind(issue))
  return new BadRequest({
    detail: joinDistinct(faults.map(({ where, message }) => (where === "" ? message : `${where}: ${message}`))),
    logged: joinDistinct(
      faults.map(({ where, message }) => `${where || "the request"}: ${message === MISSING ? MISSING : "malformed"}`)
    )
  })
}
