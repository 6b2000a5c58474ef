/** The port `PersonalDataStore` in PostgreSQL: the export and the erasure of a data subject, and the ledger of erasures. */
import {
  type AdministratorId,
  type DataSubject,
  type ErasureEntry,
  hasErased,
  type Mail,
  mailKey,
  NOTHING_ERASED,
  NOTHING_STORED,
  type OrganizationId,
  OrganizationNotFound,
  type PersonalDataStore,
  recorded,
  subjectErased,
  subjectId,
  type Timestamp
} from "@sojourn/core"
import { Effect, type Latch } from "effect"
import { collectAdministrator, collectOne, collectOperator, collectUser } from "./collecting.ts"
import type { Database } from "../database/Database.ts"
import type { Storing } from "../database/Storing.ts"
import { eraseAdministrator, eraseOperator, erasePerson, eraseUser } from "./erasing.ts"
import { ACCOUNT_BY_MAIL, LEDGER } from "./personalData.sql.ts"

interface EntryRow {
  readonly organization_id: OrganizationId
  /** Null where the organization has no entry, and so are the sums. */
  readonly day: string | null
  readonly people: bigint
  readonly accesses: bigint
  readonly open_stays: bigint
  readonly total_time: bigint
}

/** Whose erasures wait for each other. */
const writerOf = (subject: DataSubject) => {
  switch (subject._tag) {
    case "PersonSubject":
      return subject.organizationId
    case "MailSubject":
      return `mail ${mailKey(subject.mail)}`
    case "OperatorSubject":
      return `operator ${subject.operatorId}`
    default:
      return `${subject._tag === "UserSubject" ? "user" : "administrator"} ${subjectId(subject)}`
  }
}

/** Makes the store; `appended` is opened after erasures. */
export const makePersonalDataStore = (
  db: Database,
  storing: Storing,
  appended: Latch.Latch
): PersonalDataStore["Service"] => {
  const administratorOf = (mail: Mail) =>
    Effect.map(
      db.run<{ readonly administrator_id: AdministratorId }>(ACCOUNT_BY_MAIL, [mailKey(mail)]),
      ([row]) => row?.administrator_id
    )

  const eraseSubject = Effect.fnUntraced(function* (subject: DataSubject, now: Timestamp) {
    switch (subject._tag) {
      case "UserSubject":
        return yield* eraseUser(db, subject.userId, now)
      case "PersonSubject":
        return yield* erasePerson(db, subject.organizationId, subject.orgAuthServerId, now)
      case "AdministratorSubject":
        return yield* eraseAdministrator(db, subject.administratorId, null, now)
      case "MailSubject": {
        const administratorId = yield* administratorOf(subject.mail)
        if (administratorId === undefined) return NOTHING_ERASED
        return yield* eraseAdministrator(db, administratorId, mailKey(subject.mail), now)
      }
      case "OperatorSubject":
        return yield* eraseOperator(db, subject.operatorId)
    }
  })

  return {
    collect: (subject) =>
      storing.long.snapshot("collect personal data", function* () {
        switch (subject._tag) {
          case "UserSubject":
            return yield* collectUser(db, subject.userId)
          case "PersonSubject":
            return yield* collectOne(db, subject.organizationId, subject.orgAuthServerId)
          case "AdministratorSubject":
            return yield* collectAdministrator(db, subject.administratorId)
          case "MailSubject": {
            const administratorId = yield* administratorOf(subject.mail)
            return administratorId === undefined ? NOTHING_STORED : yield* collectAdministrator(db, administratorId)
          }
          case "OperatorSubject":
            return yield* collectOperator(db, subject.operatorId)
        }
      }),

    erase: (subject, now) =>
      storing.long
        .by(writerOf(subject))
        .transaction("erase personal data", function* () {
          const erased = yield* eraseSubject(subject, now)
          return recorded(erased, hasErased(erased) ? subjectErased(subject) : undefined)
        })
        .pipe(Effect.tap(appended.open)),

    ledger: (organizationId) =>
      storing.gen("read the ledger of erasures", function* () {
        const rows = yield* db.run<EntryRow>(LEDGER, [organizationId])
        if (rows.length === 0) return yield* new OrganizationNotFound({ organizationId })
        return rows.flatMap(({ day, ...row }): ReadonlyArray<ErasureEntry> =>
          day === null
            ? []
            : [
                {
                  organizationId,
                  day,
                  people: Number(row.people),
                  accesses: Number(row.accesses),
                  openStays: Number(row.open_stays),
                  totalTime: Number(row.total_time)
                }
              ]
        )
      })
  }
}
