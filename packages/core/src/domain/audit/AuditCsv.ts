/** The audit as CSV: the names of its JSON, those of a member's parts after a dot. */
import { csvHeader, csvLine } from "../shared/Csv.ts"
import { makeLocalTime } from "../shared/LocalTime.ts"
import { formatTimestamp, type WriteText } from "../shared/Timestamp.ts"
import type { AuditEntry } from "./AuditEntry.ts"

const COLUMNS = [
  "id",
  "at",
  "organizationId",
  "placeId",
  "actor.kind",
  "actor.id",
  "action",
  "target.kind",
  "target.id",
  "changes",
  "requestId",
  "count"
]

/** How entries are written. */
export interface AuditCsv {
  readonly header: string
  readonly line: (entry: AuditEntry, write: WriteText) => void
}

/** The CSV of entries, with a column for the local times of a time zone if one is given. `changes` are as in JSON. */
export const auditCsv = (timeZone: string | undefined): AuditCsv => {
  const localTime = timeZone === undefined ? undefined : makeLocalTime(timeZone)
  return {
    header: csvHeader(localTime === undefined ? COLUMNS : [...COLUMNS, "atLocal"]),
    line: (entry, write) => {
      const { id, at, organizationId, placeId, actor, action, target, changes, requestId, count } = entry
      const known = [id, formatTimestamp(at), organizationId, placeId, actor.kind, actor.id, action]
      const details = [target?.kind, target?.id, changes && JSON.stringify(changes), requestId, count]
      const local = localTime === undefined ? [] : [localTime(at)]
      write(csvLine([...known, ...details, ...local].map((field) => `${field ?? ""}`)))
    }
  }
}
