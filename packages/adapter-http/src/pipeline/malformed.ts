/**
 * Refuses requests that cannot be decoded. The problem names the part that is wrong, what was expected there and what was sent;
 * the log names the part, and nothing that was sent.
 */
import { faultsOf } from "@sojourn/core"
import type * as SchemaIssue from "effect/SchemaIssue"
import { BadRequest } from "../api/shared/refusals.ts"
import { ofKind } from "./ofKind.ts"

/** Effect's word for a field that is not there, which holds nothing of the client's. */
const MISSING = "Missing key"

/** Each part once: the members of a union often miss the same. */
const joinDistinct = (parts: ReadonlyArray<string>): string => [...new Set(parts)].join("; ")

/** The refusal of a part of a request, `sent`, that cannot be decoded. */
export const malformed = (issue: SchemaIssue.Issue, sent?: unknown): BadRequest => {
  const faults = faultsOf(ofKind(issue), sent)
  return new BadRequest({
    detail: joinDistinct(
      faults.map(({ where, expected, got }) => `${where === "" ? "" : `${where}: `}${expected}${got}`)
    ),
    logged: joinDistinct(
      faults.map(({ where, expected }) => `${where || "the request"}: ${expected === MISSING ? MISSING : "malformed"}`)
    )
  })
}
