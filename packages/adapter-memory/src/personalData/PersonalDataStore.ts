import {
  type AdministratorId,
  type DataSubject,
  type Mail,
  mailKey,
  NOTHING_ERASED,
  NOTHING_STORED,
  type PersonalDataStore,
  type StoredData
} from "@sojourn/core"
import { Effect, Order } from "effect"
import { atomically } from "../state/atomically.ts"
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
        ? NOTHING_STORED
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

/** Exports and erasures of the personal data kept in memory. */
export const makePersonalDataStore = (state: State): PersonalDataStore["Service"] => ({
  collect: (subject) => Effect.sync(() => collect(state, subject)),

  erase: (subject, now) =>
    atomically(function* () {
      switch (subject._tag) {
        case "UserSubject":
          return eraseUser(state, subject.userId, now)
        case "PersonSubject": {
          const organization = state.organizations.get(subject.organizationId)
          return organization === undefined
            ? NOTHING_ERASED
            : erasePerson(state, organization, subject.orgAuthServerId, now)
        }
        case "AdministratorSubject":
          return yield* eraseAdministrator(state, subject.administratorId, now)
        case "MailSubject": {
          const administratorId = administratorOf(state, subject.mail)
          return administratorId === undefined ? NOTHING_ERASED : yield* eraseAdministrator(state, administratorId, now)
        }
        case "OperatorSubject":
          return eraseOperator(state, subject.operatorId)
      }
    }),

  ledger: (organizationId) =>
    atomically(function* () {
      const organization = yield* findOrganization(state, organizationId)
      return [...organization.erasures.values()].sort((one, other) => Order.String(one.day, other.day))
    })
})
