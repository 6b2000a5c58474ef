/** Reads the rows of accesses from the text of a body, in portions. */
import {
  type AccessDraft,
  FirstRowInvalid,
  makeCsvRows,
  makeJsonRows,
  readAccess,
  type RefusedRow
} from "@sojourn/core"
import * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import { BadRequest } from "../../api/shared/refusals.ts"

/** How many characters are read before the event loop serves other requests. */
const PORTION = 32_768

/** The rows of a file. */
export interface FileRows {
  readonly drafts: ReadonlyArray<AccessDraft>
  readonly refused: ReadonlyArray<RefusedRow>
}

/** Reads all rows of a body. Between portions of it the event loop serves other requests. */
export const readRows = Effect.fnUntraced(function* (
  text: string,
  mediaType: string
): Effect.fn.Return<FileRows, BadRequest> {
  const read = mediaType === "text/csv" ? makeCsvRows() : makeJsonRows()
  const drafts: Array<AccessDraft> = []
  const refused: Array<RefusedRow> = []
  let line = 0
  for (let at = 0; at === 0 || at < text.length; at += PORTION) {
    if (at > 0) yield* Effect.yieldNow
    for (const row of read(text.slice(at, at + PORTION), at + PORTION >= text.length)) {
      if (row instanceof FirstRowInvalid) {
        return yield* new BadRequest({ detail: `The first row names no ${row.missing.join(" and no ")}.` })
      }
      line++
      if (row === undefined) continue
      const draft = Result.flatMap(row, (read) => readAccess(line, read.row))
      if (Result.isFailure(draft)) refused.push({ line, reason: draft.failure })
      else drafts.push(draft.success)
    }
  }
  return { drafts, refused }
})
