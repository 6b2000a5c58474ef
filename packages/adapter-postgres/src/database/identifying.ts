/**
 * Every column that identifies a person, or holds words of one. PostgreSQL samples columns for its planner, and may keep some values
 * until it samples again, which may be never: no samples are taken of these, so that nothing remains after an erasure.
 */
export const IDENTIFYING = {
  account_link: ["user_id", "org_auth_server_id"],
  favorite: ["user_id", "org_auth_server_id"],
  open_stay: ["person"],
  stay: ["person"],
  stay_first: ["person"],
  entrance_retry: ["person", "retry_key"],
  imported_stay: ["import_key"],
  import_key: ["key"],
  permission: ["administrator_id", "nominated_by", "org_auth_server_id"],
  administrator_account: ["administrator_id", "mail", "mail_key", "password_hash"],
  deletion_request: ["administrator_id", "reason", "decided_by"],
  muster: ["started_by", "note", "swept_by"],
  muster_person: ["person"],
  muster_beginning: ["people"],
  muster_result: ["people"],
  subject_cell: ["id"],
  webhook: ["created_by"],
  audit_entry: ["actor_id", "target_id", "changes"],
  audit_entry_rest: ["actor_id", "target_id", "changes"]
} as const
