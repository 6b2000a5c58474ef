import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import {
  type AccessesOfAnother,
  AccessOrder,
  type AnonymousAccess,
  type AuthenticatedAccess
} from "../../domain/stays/Access.ts"
import type { Administrator, User } from "../../domain/accounts/Caller.ts"
import type { ExitToken, ExitTokenScheme } from "../../domain/keys/ExitToken.ts"
import type { OrganizationId, OrgAuthServerId, StayId } from "../../domain/shared/Ids.ts"
import type { PermissionTooLow } from "../../domain/accounts/Permission.ts"
import type { Premises } from "../../domain/shared/Premises.ts"
import type { ClosedStay, PremisesNotFound } from "../../domain/stays/Stay.ts"
import { StayLog } from "../../ports/stays/StayLog.ts"
import type { StoreError } from "../../ports/shared/StoreError.ts"
import type { PermissionStore } from "../../ports/accounts/PermissionStore.ts"
import type { AuditLog } from "../../ports/audit/AuditLog.ts"
import { personAsked } from "../../domain/audit/AuditEntry.ts"
import { Readings } from "../audit/Readings.ts"
import { ExitTokens } from "../keys/ExitTokens.ts"

/**
 * Lists completed stays, fully registered ones alone (spec: stays#access-order), in {@link AccessOrder}. Keys of a list
 * that name no stay or no person are left out.
 */
export class Accesses extends Context.Service<
  Accesses,
  {
    /** The completed anonymous stays at the premises that the tokens belong to. For any user who sends the tokens. */
    readonly anonymous: (
      premises: Premises,
      tokens: ReadonlyArray<string>
    ) => Effect.Effect<ReadonlyArray<AnonymousAccess>, StoreError>
    /** The user's own completed stays at the premises, asked for by the one id that the user is linked to. */
    readonly own: (
      user: User,
      premises: Premises,
      orgAuthServerIds: ReadonlyArray<OrgAuthServerId>
    ) => Effect.Effect<ReadonlyArray<AuthenticatedAccess>, AccessesOfAnother | StoreError>
    /** The completed stays of these people at the premises. Any level may read them. */
    readonly ofPeople: (
      administrator: Administrator,
      premises: Premises,
      people: ReadonlyArray<OrgAuthServerId>
    ) => Effect.Effect<ReadonlyArray<AuthenticatedAccess>, PremisesNotFound | PermissionTooLow | StoreError>
  }
>()("@sojourn/core/Accesses") {
  static readonly layer: Layer.Layer<Accesses, never, StayLog | ExitTokens | AuditLog | PermissionStore> = Layer.effect(
    Accesses,
    Effect.gen(function* () {
      const stays = yield* StayLog
      const whenKnown = yield* ExitTokens
      const readings = yield* Readings

      // Lists hold up to a hundred: nothing is made for an element that is thrown away again.
      const anonymous = (premises: Premises, tokens: ReadonlyArray<string>) =>
        Effect.flatMap(whenKnown, (exitTokens) => {
          const tokenByStay = new Map<StayId, ExitToken>()
          let organizationId: OrganizationId | undefined
          for (const token of tokens) {
            const located = exitTokens.recognize(premises, token)
            if (Option.isNone(located)) continue
            tokenByStay.set(located.value.stayId, token as ExitToken)
            // Genuine tokens of one premises are all of one organization.
            organizationId ??= located.value.organizationId
          }
          if (organizationId === undefined) return Effect.succeed([])
          return Effect.map(stays.closedByIds(organizationId, premises, [...tokenByStay.keys()]), (closed) => {
            const ids = exitTokens.accessIds(closed.map(({ id }) => id))
            const accesses: Array<AnonymousAccess> = []
            closed.forEach((stay, i) => {
              const exitToken = tokenByStay.get(stay.id)
              if (exitToken !== undefined) accesses.push({ id: ids[i]!, stay, exitToken })
            })
            return accesses.sort(AccessOrder)
          })
        })

      const ofPeople = (exitTokens: ExitTokenScheme, closed: ReadonlyArray<ClosedStay>) => {
        const ids = exitTokens.accessIds(closed.map(({ id }) => id))
        const accesses: Array<AuthenticatedAccess> = []
        closed.forEach((stay, i) => {
          const { orgAuthServerId } = stay
          if (orgAuthServerId !== undefined) accesses.push({ id: ids[i]!, stay, orgAuthServerId })
        })
        return accesses.sort(AccessOrder)
      }

      return Accesses.of({
        anonymous,
        own: ({ userId }, premises, ids) =>
          Effect.flatMap(whenKnown, (exitTokens) =>
            Effect.map(stays.closedByUser(userId, premises, ids), (closed) => ofPeople(exitTokens, closed))
          ),
        ofPeople: Effect.fnUntraced(function* (administrator, premises, people) {
          const exitTokens = yield* whenKnown
          const closed = yield* stays.closedByPeople(administrator.administratorId, premises, people)
          const accesses = ofPeople(exitTokens, closed)
          const count = new Set(accesses.map(({ orgAuthServerId }) => orgAuthServerId)).size
          yield* readings.record(administrator, { premises, target: personAsked(people), count })
          return accesses
        })
      })
    })
  ).pipe(Layer.provide(Readings.layer))
}
