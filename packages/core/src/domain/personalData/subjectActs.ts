/** What the audit says of subjects of personal data. */
import type { Act } from "../audit/AuditEntry.ts"
import type { DataSubject } from "./DataSubject.ts"
import { ERASED } from "./Erasure.ts"

/** The kinds of targets that subjects are. */
export const SUBJECT_KINDS: { readonly [Tag in DataSubject["_tag"]]: string } = {
  UserSubject: "user",
  PersonSubject: "person",
  AdministratorSubject: "administrator",
  MailSubject: "administrator",
  OperatorSubject: "operator"
}

const ofSubject = (subject: DataSubject) =>
  subject._tag === "PersonSubject" ? { organizationId: subject.organizationId } : {}

/** What was erased is left out. */
export const subjectErased = (subject: DataSubject): Act => ({
  action: "personalData.erase",
  ...ofSubject(subject),
  target: { kind: SUBJECT_KINDS[subject._tag], id: ERASED }
})
