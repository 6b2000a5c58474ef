/** Personal data over cells. A subject is read and erased in one cell after the other, the home cell last: what is cut off is done by the same call again. */
import {
  addErased,
  type AdministratorId,
  AdministratorSubject,
  CellStore,
  type DataSubject,
  type Erased,
  mergeStoredData,
  NOTHING_ERASED,
  NOTHING_STORED,
  PermissionStore,
  PersonalDataStore,
  requireOtherOwners,
  type Timestamp
} from "@sojourn/core"
import { Effect, Option } from "effect"
import { withMails } from "./accounts.ts"
import { ask, type Cells } from "./Cells.ts"
import { storesOfSubject } from "./subjects.ts"

export const makePersonalDataStore = (cells: Cells): PersonalDataStore["Service"] => {
  const stores = cells.ports(PersonalDataStore)
  const permissions = cells.ports(PermissionStore)
  const { home } = cells.ports(CellStore)

  /** The administrator whose account has the mail address of a subject; none for other subjects. */
  const administratorOf = Effect.fnUntraced(function* (subject: DataSubject) {
    if (subject._tag === "AdministratorSubject") return Option.some(subject.administratorId)
    if (subject._tag !== "MailSubject") return Option.none<AdministratorId>()
    const { byMail } = yield* home.findAccounts({ mail: subject.mail })
    return Option.map(byMail, ({ administratorId }) => administratorId)
  })

  /** Erases an administrator under the lock, so that permissions do not change between the rule and the last cell. */
  const eraseAdministrator = Effect.fnUntraced(function* (administratorId: AdministratorId, now: Timestamp) {
    const subject = AdministratorSubject(administratorId)
    const lists = yield* ask(yield* storesOfSubject(cells, permissions, subject), (store) =>
      Effect.flatMap(store.listByAdministrator(administratorId), (own) =>
        Effect.forEach(own, ({ organizationId }) => store.listByOrganization(organizationId))
      )
    )
    yield* Effect.fromResult(requireOtherOwners(administratorId, lists.flat()))
    let erased: Erased = NOTHING_ERASED
    for (const store of stores.others) {
      // The accounts of other cells are copies.
      erased = addErased(erased, { ...(yield* store.erase(subject, now)), accounts: 0 })
    }
    erased = addErased(erased, yield* stores.home.erase(subject, now))
    yield* home.removeSubject(subject)
    return erased
  })

  return {
    collect: (subject) =>
      Effect.gen(function* () {
        if (subject._tag === "PersonSubject") {
          const store = stores.at(subject.organizationId)
          const found = yield* store.collect(subject)
          return store === stores.home ? found : { ...found, permissions: yield* withMails(cells, found.permissions) }
        }
        const administratorId = yield* administratorOf(subject)
        if (subject._tag === "MailSubject" && Option.isNone(administratorId)) return NOTHING_STORED
        const asked = Option.match(administratorId, { onNone: () => subject, onSome: AdministratorSubject })
        const [own = NOTHING_STORED, ...others] = yield* ask(stores.all, (store) => store.collect(asked))
        const elsewhere = mergeStoredData(others)
        return mergeStoredData([
          own,
          { ...elsewhere, accounts: [], permissions: yield* withMails(cells, elsewhere.permissions) }
        ])
      }),

    erase: (subject, now) =>
      Effect.gen(function* () {
        if (subject._tag === "PersonSubject") return yield* stores.at(subject.organizationId).erase(subject, now)
        if (subject._tag === "AdministratorSubject" || subject._tag === "MailSubject") {
          return yield* home.locked(
            Effect.flatMap(
              administratorOf(subject),
              Option.match({
                onNone: () => Effect.succeed(NOTHING_ERASED),
                onSome: (administratorId) => eraseAdministrator(administratorId, now)
              })
            )
          )
        }
        const all = yield* Effect.forEach([...stores.others, stores.home], (store) => store.erase(subject, now))
        if (subject._tag === "UserSubject") yield* home.removeSubject(subject)
        return all.reduce(addErased, NOTHING_ERASED)
      }),

    ledger: (organizationId) => stores.at(organizationId).ledger(organizationId)
  }
}
