import {
  type AdministratorId,
  type DataSubject,
  type Erased,
  hasErased,
  type Mail,
  mailKey,
  NOTHING_ERASED,
  NOTHING_STORED,
  type OnlyOwner,
  type PersonalDataStore,
  recorded,
  type StoredData,
  subjectErased,
  type Timestamp
} from "@sojourn/core"
import { Effect, Order, Result } from "effect"
import { atomically, recording } from "../state/atomically.ts"
import { entriesAboutPerson } from "../audit/entries.ts"
import { collectAdministrator, collectOperator, collectPeople } from "./collecting.ts"
import { eraseAdministrator, eraseOperator, erasePerson, eraseUser } from "./erasing.ts"
import { findOrganization, type State } from "../state/State.ts"

const administratorOf = (state: State, mail: Mail): AdministratorId | undefined =>
  state.accountByMail.get(mailKey(mail))?.administratorId

const collect = (state: State, subject: DataSubject): StoredData => {
  switch (subject._tag) {
    case "UserSubject": {
      const people = [...state.organizations.values()].flatMap((organization) => {
        const person = organization.personByUser.get(subject.userId)
        return person === undefined ? [] : [[organization, person] as const]
      })
      return collectPeople(state, people, subject.userId)
    }
    case "PersonSubject": {
      const organization = state.organizations.get(subject.organizationId)
      return organization === undefined
        ? {
            ...NOTHING_STORED,
            auditEntries: entriesAboutPerson(state, subject.organizationId, subject.orgAuthServerId)
          }
        : collectPeople(state, [[organization, subject.orgAuthServerId]])
    }
    case "AdministratorSubject":
      return collectAdministrator(state, subject.administratorId)
    case "MailSubject": {
      const administratorId = administratorOf(state, subject.mail)
      return administratorId === undefined ? NOTHING_STORED : collectAdministrator(state, administratorId)
    }
    case "OperatorSubject":
      return collectOperator(state, subject.operatorId)
  }
}

const erase = (state: State, subject: DataSubject, now: Timestamp): Result.Result<Erased, OnlyOwner> => {
  switch (subject._tag) {
    case "UserSubject":
      return Result.succeed(eraseUser(state, subject.userId, now))
    case "PersonSubject":
      return Result.succeed(erasePerson(state, subject.organizationId, subject.orgAuthServerId, now))
    case "AdministratorSubject":
      return eraseAdministrator(state, subject.administratorId, now)
    case "MailSubject": {
      const administratorId = administratorOf(state, subject.mail)
      return administratorId === undefined
        ? Result.succeed(NOTHING_ERASED)
        : eraseAdministrator(state, administratorId, now)
    }
    case "OperatorSubject":
      return Result.succeed(eraseOperator(state, subject.operatorId))
  }
}

/** Exports and erasures of the personal data kept in memory. */
export const makePersonalDataStore = (state: State): PersonalDataStore["Service"] => ({
  collect: (subject) => Effect.sync(() => collect(state, subject)),

  erase: (subject, now) =>
    recording(state, function* () {
      const erased = yield* erase(state, subject, now)
      return recorded(erased, hasErased(erased) ? subjectErased(subject) : undefined)
    }),

  ledger: (organizationId) =>
    atomically(function* () {
      const organization = yield* findOrganization(state, organizationId)
      return [...organization.erasures.values()].sort((one, other) => Order.String(one.day, other.day))
    })
})
