/** Records readings of people in the audit. */
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import type { Administrator, Operator } from "../../domain/accounts/Caller.ts"
import { READINGS_MERGED_MS, type Target } from "../../domain/audit/AuditEntry.ts"
import { type Premises, premisesId } from "../../domain/shared/Premises.ts"
import { PermissionStore } from "../../ports/accounts/PermissionStore.ts"
import { AuditLog } from "../../ports/audit/AuditLog.ts"
import { authorIn } from "./authors.ts"
import type { StoreError } from "../../ports/shared/StoreError.ts"
import { IsInTransaction } from "../shared/callersTransaction.ts"
import { now } from "../shared/now.ts"
import { TwoGenerationCache } from "../shared/TwoGenerationCache.ts"
import { byCaller } from "./byCaller.ts"

/** How many readings a server remembers at least. A forgotten one is written again, and is no second entry. */
const REMEMBERED_READINGS = 10_000

/** What was read, and how many people were answered. */
export interface PeopleRead {
  /** None where it concerns no organization. */
  readonly premises?: Premises | undefined
  /** Left out: the premises. */
  readonly target?: Target | undefined
  readonly count: number
}

/**
 * Adds an entry for a reading of people, before they are answered. Nothing is written where nobody is answered, and for a reading that an entry
 * of the last minute has already (spec: audit#readings).
 */
export class Readings extends Context.Service<
  Readings,
  {
    readonly record: (caller: Administrator | Operator, read: PeopleRead) => Effect.Effect<void, StoreError>
  }
>()("@sojourn/core/Readings") {
  static readonly layer: Layer.Layer<Readings, never, AuditLog | PermissionStore> = Layer.effect(
    Readings,
    Effect.gen(function* () {
      const audit = yield* AuditLog
      const permissions = yield* PermissionStore
      const isInTransaction = yield* IsInTransaction
      const written = new TwoGenerationCache<string, { readonly at: number; readonly count: number }>(
        REMEMBERED_READINGS
      )

      /** The organization of premises; none where they are gone. */
      const organizationOf = Effect.fnUntraced(function* (premises: Premises, caller: Administrator | Operator) {
        if (premises._tag === "OrganizationPremises") return premises.organizationId
        // Operators read people of no place.
        if (caller._tag === "Operator") return undefined
        const membership = yield* permissions.membership(premises, caller.administratorId)
        return Option.getOrUndefined(membership)?.organizationId
      })

      return Readings.of(
        byCaller({
          record: Effect.fnUntraced(function* (caller, { premises, target, count }) {
            if (count === 0) return
            const author = authorIn(yield* Effect.context<never>())
            const read =
              target ??
              (premises && {
                kind: premises._tag === "PlacePremises" ? "place" : "organization",
                id: `${premisesId(premises)}`
              })
            const key = JSON.stringify([author.actor, premises?._tag, premises && `${premisesId(premises)}`, read])
            const at = yield* now
            const last = written.get(key)
            const isMerged = last !== undefined && at - last.at < READINGS_MERGED_MS
            if (isMerged && count <= last.count) return
            yield* audit.read({
              ...author,
              organizationId: premises && (yield* organizationOf(premises, caller)),
              placeId: premises?._tag === "PlacePremises" ? premises.placeId : undefined,
              target: read,
              count,
              at
            })
            // What is rolled back was not written.
            if (!(yield* isInTransaction)) written.set(key, { at: isMerged ? last.at : at, count })
          })
        })
      )
    })
  )
}
