/** Whose personal data is exported or erased. Each kind names a person by what the service itself knows them by. */
import type { AdministratorId, OperatorId, OrganizationId, OrgAuthServerId, UserId } from "../shared/Ids.ts"
import type { Mail } from "../shared/Mail.ts"

/** An app user, by the id that credentials prove. */
export interface UserSubject {
  readonly _tag: "UserSubject"
  readonly userId: UserId
}

/** A person of one organization's authentication server. */
export interface PersonSubject {
  readonly _tag: "PersonSubject"
  readonly organizationId: OrganizationId
  readonly orgAuthServerId: OrgAuthServerId
}

/** A web-app administrator. */
export interface AdministratorSubject {
  readonly _tag: "AdministratorSubject"
  readonly administratorId: AdministratorId
}

/** The administrator, or the invitation, whose account has a mail address. */
export interface MailSubject {
  readonly _tag: "MailSubject"
  readonly mail: Mail
}

/** One of the service's own administrators. */
export interface OperatorSubject {
  readonly _tag: "OperatorSubject"
  readonly operatorId: OperatorId
}

/** The subject of an export or erasure of personal data, as an operator names it. */
export type DataSubject = UserSubject | PersonSubject | AdministratorSubject | MailSubject | OperatorSubject

export const UserSubject = (userId: UserId): UserSubject => ({ _tag: "UserSubject", userId })
export const PersonSubject = (organizationId: OrganizationId, orgAuthServerId: OrgAuthServerId): PersonSubject => ({
  _tag: "PersonSubject",
  organizationId,
  orgAuthServerId
})
export const AdministratorSubject = (administratorId: AdministratorId): AdministratorSubject => ({
  _tag: "AdministratorSubject",
  administratorId
})
export const MailSubject = (mail: Mail): MailSubject => ({ _tag: "MailSubject", mail })
export const OperatorSubject = (operatorId: OperatorId): OperatorSubject => ({ _tag: "OperatorSubject", operatorId })

/** The id of a user or an administrator. */
export const subjectId = (subject: UserSubject | AdministratorSubject): string =>
  subject._tag === "UserSubject" ? subject.userId : subject.administratorId
