/** Rows of deletion requests. They outlive their organizations, and name people: the export of personal data reads them as well. */
import type {
  AdministratorId,
  DeletionRequest,
  DeletionRequestId,
  DeletionRequestStatus,
  OperatorId,
  OrganizationId
} from "@sojourn/core"
import { timestampOf } from "../database/rows.ts"

/** A row of the table `deletion_request`. */
export interface DeletionRequestRow {
  readonly id: DeletionRequestId
  readonly organization_id: OrganizationId
  readonly administrator_id: AdministratorId
  readonly reason: string | null
  readonly creation_date: Date
  readonly status: DeletionRequestStatus
  readonly decision_date: Date | null
  readonly decided_by: OperatorId | null
}

export const requestOf = (row: DeletionRequestRow): DeletionRequest => {
  const wish = {
    id: row.id,
    organizationId: row.organization_id,
    administratorId: row.administrator_id,
    reason: row.reason ?? undefined,
    creationDate: timestampOf(row.creation_date)
  }
  return row.status === "pending" || row.decision_date === null || row.decided_by === null
    ? { ...wish, status: "pending" }
    : {
        ...wish,
        status: row.status,
        decisionDate: timestampOf(row.decision_date),
        decidedBy: row.decided_by
      }
}
