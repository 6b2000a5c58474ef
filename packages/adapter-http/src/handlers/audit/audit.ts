/** Answers the lists of the audit (spec: audit#lists). */
import {
  AccessWindows,
  auditCsv,
  type AuditEntry,
  type AuditPage,
  type AuditQuery,
  Audits,
  DEFAULT_TIME_ZONE,
  OrganizationPremises
} from "@sojourn/core"
import * as Effect from "effect/Effect"
import type { AuditGroup, OperatorAuditGroup } from "../../api/audit/audit.ts"
import type { GroupHandlers } from "../../pipeline/endpoint.ts"
import { DEFAULT_LIMIT } from "../../wire/shared/fields.ts"
import { csvFile, type CsvPart, prefersCsv, windowFile } from "../shared/csv.ts"
import { refuse } from "../shared/refuse.ts"

/** How many entries a file is read by. */
const FILE_LIMIT = 250

const toQuery = <Query extends Omit<AuditQuery, "limit"> & { readonly limit?: number | undefined }>(query: Query) => ({
  ...query,
  limit: query.limit ?? DEFAULT_LIMIT
})

const toWire = ({ entries, hasMore }: AuditPage) =>
  entries.length === 0 ? undefined : { entries, next: hasMore ? entries.at(-1) : undefined }

/** What a file is named by, and the time zone of its local times; none: it has no local times. */
interface FileOf {
  readonly name: string
  readonly timeZone: string | undefined
}

/** All entries that a query is about, whatever its `limit`. The file is named after its first part, which requires the level. */
const inCsv = Effect.fnUntraced(function* <Query extends AuditQuery, E, E2>(
  query: Query,
  read: (query: Query) => Effect.Effect<AuditPage, E>,
  fileOf: Effect.Effect<FileOf, E2>
) {
  const pageAfter = (after: AuditQuery["after"]) => read({ ...query, after, limit: FILE_LIMIT })
  const first = yield* pageAfter(query.after)
  const { name, timeZone } = yield* fileOf
  const partOf = ({ entries, hasMore }: AuditPage): CsvPart<AuditEntry> => ({
    rows: entries,
    next: hasMore ? Effect.map(pageAfter(entries.at(-1)), partOf) : undefined
  })
  const disposition = windowFile([name, "audit"], timeZone ?? DEFAULT_TIME_ZONE, query)
  return csvFile(disposition, auditCsv(timeZone), partOf(first))
})

export const auditHandlers = Effect.gen(function* () {
  const audits = yield* Audits
  const windows = yield* AccessWindows
  const handlers: GroupHandlers<typeof AuditGroup> = {
    list: ({ caller, head, params: { organizationId }, query }) => {
      const read = (page: AuditQuery) => audits.list(caller, organizationId, page)
      if (!prefersCsv(head.headers["accept"])) return read(toQuery(query)).pipe(Effect.map(toWire), refuse())
      const file = Effect.map(
        windows.file(caller, OrganizationPremises(organizationId)),
        ({ organization, timeZone }) => ({ name: organization, timeZone })
      )
      return inCsv(toQuery(query), read, file).pipe(refuse())
    }
  }
  return handlers
})

export const operatorAuditHandlers = Effect.map(Audits, (audits): GroupHandlers<typeof OperatorAuditGroup> => ({
  list: ({ caller, head, query }) => {
    const read = (page: ReturnType<typeof toQuery<typeof query>>) => audits.listAll(caller, page)
    return prefersCsv(head.headers["accept"])
      ? inCsv(toQuery(query), read, Effect.succeed({ name: "Sojourn", timeZone: undefined })).pipe(refuse())
      : read(toQuery(query)).pipe(Effect.map(toWire), refuse())
  }
}))
