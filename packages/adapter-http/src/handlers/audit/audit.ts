/** Answers the lists of the audit (spec: audit#lists). */
import { type AuditPage, type AuditQuery, Audits } from "@sojourn/core"
import * as Effect from "effect/Effect"
import type { AuditGroup, OperatorAuditGroup } from "../../api/audit/audit.ts"
import type { GroupHandlers } from "../../pipeline/endpoint.ts"
import { DEFAULT_LIMIT } from "../../wire/shared/fields.ts"
import { refuse } from "../shared/refuse.ts"

const toQuery = <Query extends Omit<AuditQuery, "limit"> & { readonly limit?: number | undefined }>(query: Query) => ({
  ...query,
  limit: query.limit ?? DEFAULT_LIMIT
})

const toWire = ({ entries, hasMore }: AuditPage) =>
  entries.length === 0 ? undefined : { entries, next: hasMore ? entries.at(-1) : undefined }

export const auditHandlers = Effect.map(Audits, (audits): GroupHandlers<typeof AuditGroup> => ({
  list: ({ caller, params: { organizationId }, query }) =>
    audits.list(caller, organizationId, toQuery(query)).pipe(Effect.map(toWire), refuse())
}))

export const operatorAuditHandlers = Effect.map(Audits, (audits): GroupHandlers<typeof OperatorAuditGroup> => ({
  list: ({ caller, query }) => audits.listAll(caller, toQuery(query)).pipe(Effect.map(toWire), refuse())
}))
