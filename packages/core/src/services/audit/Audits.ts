/** Use cases on the audit: its lists, and its retention. */
import * as Clock from "effect/Clock"
import * as Context from "effect/Context"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import type { Administrator, Operator } from "../../domain/accounts/Caller.ts"
import type { PermissionTooLow } from "../../domain/accounts/Permission.ts"
import type { AuditQuery } from "../../domain/audit/AuditEntry.ts"
import type { OrganizationNotFound } from "../../domain/organizations/Organization.ts"
import type { OrganizationId } from "../../domain/shared/Ids.ts"
import { requireWindow, type TimeWindowInvalid } from "../../domain/shared/TimeWindow.ts"
import { Timestamp } from "../../domain/shared/Timestamp.ts"
import { AuditLog, type AuditPage, type OperatorAuditQuery } from "../../ports/audit/AuditLog.ts"
import type { StoreError } from "../../ports/shared/StoreError.ts"

/** Lists who changed what, and who looked at whom (spec: audit#lists). */
export class Audits extends Context.Service<
  Audits,
  {
    /** The entries of an organization, the newest first. For owners. */
    readonly list: (
      owner: Administrator,
      organizationId: OrganizationId,
      query: AuditQuery
    ) => Effect.Effect<AuditPage, OrganizationNotFound | PermissionTooLow | TimeWindowInvalid | StoreError>
    /** The entries of all organizations, or of one, which may be deleted. For operators. */
    readonly listAll: (
      operator: Operator,
      query: OperatorAuditQuery
    ) => Effect.Effect<AuditPage, TimeWindowInvalid | StoreError>
    /** Forgets entries older than `retention`; to be run periodically. */
    readonly forget: (retention: Duration.Duration) => Effect.Effect<void, StoreError>
  }
>()("@sojourn/core/Audits") {
  static readonly layer: Layer.Layer<Audits, never, AuditLog> = Layer.effect(
    Audits,
    Effect.gen(function* () {
      const audit = yield* AuditLog
      return Audits.of({
        list: Effect.fnUntraced(function* ({ administratorId }, organizationId, query) {
          yield* Effect.fromResult(requireWindow(query))
          return yield* audit.list({ ...query, organizationId, administratorId })
        }),
        listAll: Effect.fnUntraced(function* (_operator, query) {
          yield* Effect.fromResult(requireWindow(query))
          return yield* audit.listAll(query)
        }),
        forget: Effect.fnUntraced(function* (retention) {
          const at = yield* Clock.currentTimeMillis
          yield* audit.forget(Timestamp(at - Duration.toMillis(retention)), Timestamp(at))
        })
      })
    })
  )
}
