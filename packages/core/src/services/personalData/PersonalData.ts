/** Use cases of exports and erasures of personal data. */
import * as Arr from "effect/Array"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Semaphore from "effect/Semaphore"
import type { Operator } from "../../domain/accounts/Caller.ts"
import { SUBJECT_KINDS } from "../../domain/personalData/subjectActs.ts"
import { type DataSubject, subjectId } from "../../domain/personalData/DataSubject.ts"
import type { Erased, OnlyOwner } from "../../domain/personalData/Erasure.ts"
import type { ErasureEntry } from "../../domain/personalData/ErasureLedger.ts"
import type { AccessId, OrganizationId, StayId } from "../../domain/shared/Ids.ts"
import type { OrganizationNotFound } from "../../domain/organizations/Organization.ts"
import { OrganizationPremises } from "../../domain/shared/Premises.ts"
import type { StoredData } from "../../domain/personalData/StoredData.ts"
import type { Timestamp } from "../../domain/shared/Timestamp.ts"
import type { PermissionStore } from "../../ports/accounts/PermissionStore.ts"
import type { AuditLog } from "../../ports/audit/AuditLog.ts"
import { PersonalDataStore } from "../../ports/personalData/PersonalDataStore.ts"
import type { StoreError } from "../../ports/shared/StoreError.ts"
import { ExitTokens } from "../keys/ExitTokens.ts"
import { now } from "../shared/now.ts"
import { type PeopleRead, Readings } from "../audit/Readings.ts"
import { makeLimitedOutside } from "../shared/callersTransaction.ts"
import { byCaller } from "../audit/byCaller.ts"

/** A stay under the id that its person knows it by. */
type Exported<Stay> = Omit<Stay, "id"> & { readonly id: AccessId }

/** {@link StoredData} with the ids of stays as callers see them. */
export interface ExportedData extends Omit<StoredData, "accesses" | "openStays"> {
  readonly accesses: ReadonlyArray<Exported<StoredData["accesses"][number]>>
  readonly openStays: ReadonlyArray<Exported<StoredData["openStays"][number]>>
}

/** What is stored about a subject, and when it was read. */
export interface PersonalDataExport {
  readonly subject: DataSubject
  readonly exportDate: Timestamp
  readonly data: ExportedData
}

/**
 * How many exports, and how many erasures, a server works on at once: each may take a connection of the database, and memory, for
 * long. Others wait for their turn, and everyone else has what is left.
 */
const EXPORTS_AT_ONCE = 1
const ERASURES_AT_ONCE = 2

/** The number of stays that are converted without a pause for other requests. */
const PORTION = 1_000

/** What the audit says of an export, which concerns one person where anything is stored. A mail address is left out. */
const exportRead = (subject: DataSubject, data: StoredData): PeopleRead => {
  const count = Object.values(data).some((list) => list.length > 0) ? 1 : 0
  const kind = SUBJECT_KINDS[subject._tag]
  switch (subject._tag) {
    case "PersonSubject": {
      const premises = OrganizationPremises(subject.organizationId)
      return { premises, target: { kind, id: subject.orgAuthServerId }, count }
    }
    case "MailSubject": {
      const [account] = data.accounts
      return { target: account && { kind, id: account.administratorId }, count }
    }
    case "OperatorSubject":
      return { target: { kind, id: subject.operatorId }, count }
    default:
      return { target: { kind, id: subjectId(subject) }, count }
  }
}

/** What people may ask of the operator: a copy of what is stored about them, and its erasure. */
export class PersonalData extends Context.Service<
  PersonalData,
  {
    /** Everything that is stored about a subject; empty lists for an unknown subject. For operators. */
    readonly export: (operator: Operator, subject: DataSubject) => Effect.Effect<PersonalDataExport, StoreError>
    /** Removes it, and answers how much it was. To ask again removes nothing. For operators. */
    readonly erase: (operator: Operator, subject: DataSubject) => Effect.Effect<Erased, OnlyOwner | StoreError>
    /** What erasures took from an organization's totals, by day. For operators. */
    readonly erasures: (
      operator: Operator,
      organizationId: OrganizationId
    ) => Effect.Effect<ReadonlyArray<ErasureEntry>, OrganizationNotFound | StoreError>
  }
>()("@sojourn/core/PersonalData") {
  static readonly layer: Layer.Layer<PersonalData, never, AuditLog | ExitTokens | PermissionStore | PersonalDataStore> =
    Layer.effect(
      PersonalData,
      Effect.gen(function* () {
        const store = yield* PersonalDataStore
        const readings = yield* Readings
        const exitTokens = yield* ExitTokens
        const exporting = yield* Semaphore.make(EXPORTS_AT_ONCE)
        const erasing = yield* Semaphore.make(ERASURES_AT_ONCE)
        const limitedOutside = yield* makeLimitedOutside
        const exported = Effect.fnUntraced(function* <Stay extends { readonly id: StayId }>(
          stays: ReadonlyArray<Stay>
        ) {
          const { accessIds } = yield* exitTokens
          const known: Array<Exported<Stay>> = []
          for (const portion of Arr.chunksOf(stays, PORTION)) {
            const ids = accessIds(portion.map(({ id }) => id))
            portion.forEach((stay, i) => known.push({ ...stay, id: ids[i]! }))
            yield* Effect.yieldNow
          }
          return known
        })
        return PersonalData.of(
          byCaller({
            export: Effect.fnUntraced(
              function* (operator, subject) {
                const exportDate = yield* now
                const data = yield* store.collect(subject)
                yield* readings.record(operator, exportRead(subject, data))
                const accesses = yield* exported(data.accesses)
                const openStays = yield* exported(data.openStays)
                return { subject, exportDate, data: { ...data, accesses, openStays } }
              },
              (exported) => limitedOutside(exported, exporting.withPermit)
            ),
            erase: Effect.fnUntraced(
              function* (_operator, subject) {
                return yield* store.erase(subject, yield* now)
              },
              (erased) => limitedOutside(erased, erasing.withPermit)
            ),
            erasures: (_operator, organizationId) => store.ledger(organizationId)
          })
        )
      })
    ).pipe(Layer.provide(Readings.layer))
}
