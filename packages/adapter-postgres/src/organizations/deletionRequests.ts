import type {
  AdministratorId,
  DeletionRequest,
  DeletionRequestId,
  DeletionRequestStatus,
  OperatorId,
  OrganizationId,
  Timestamp
} from "@sojourn/core"

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
    creationDate: row.creation_date.getTime() as Timestamp
  }
  return row.status === "pending" || row.decision_date === null || row.decided_by === null
    ? { ...wish, status: "pending" }
    : {
        ...wish,
        status: row.status,
        decisionDate: row.decision_date.getTime() as Timestamp,
        decidedBy: row.decided_by
      }
}
