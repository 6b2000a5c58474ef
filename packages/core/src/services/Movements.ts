import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as Result from "effect/Result"
import { type IdentityNotOwn, identify, type NotLinked } from "../domain/AccountLink.ts"
import type { User } from "../domain/Caller.ts"
import type { ExitToken } from "../domain/ExitToken.ts"
import type { Entrance, Exit, Movement, TrackedMovement } from "../domain/Movement.ts"
import { ExitBeforeEntrance, ExitNotMatched, type PremisesNotFound, type TimestampInFuture } from "../domain/Stay.ts"
import { AccountLinkStore } from "../ports/AccountLinkStore.ts"
import { StayLog } from "../ports/StayLog.ts"
import { StoreError } from "../ports/StoreError.ts"
import { ExitTokens } from "./ExitTokens.ts"
import { now } from "./now.ts"

/** Why a movement is not tracked. */
export type MovementRefusal =
  | PremisesNotFound
  | NotLinked
  | IdentityNotOwn
  | TimestampInFuture
  | ExitNotMatched
  | ExitBeforeEntrance

/** Tracks the entrances and exits of users (interface, section 4.6; rules: contract, section 4). */
export class Movements extends Context.Service<
  Movements,
  {
    /** The movement as it was tracked, with its exit token. An entrance or exit that is repeated changes nothing. */
    readonly track: (user: User, movement: Movement) => Effect.Effect<TrackedMovement, MovementRefusal | StoreError>
  }
>()("@sojourn/core/Movements") {
  static readonly layer: Layer.Layer<Movements, never, StayLog | AccountLinkStore | ExitTokens> = Layer.effect(
    Movements,
    Effect.gen(function* () {
      const stays = yield* StayLog
      const tokens = yield* ExitTokens
      const links = yield* AccountLinkStore

      const enter = Effect.fnUntraced(function* (user: User, entrance: Entrance) {
        const { premises, timestamp, orgAuthServerId, idempotencyKey } = entrance
        const opened = yield* stays.open({
          premises,
          userId: user.userId,
          claim: { timestamp, orgAuthServerId, now: yield* now },
          keyId: tokens.signingKeyId,
          retryKey:
            idempotencyKey === undefined
              ? Option.none()
              : Option.some(tokens.retryKey(user.userId, premises, idempotencyKey))
        })
        const token = tokens.derive(opened.keyId, premises, {
          organizationId: opened.organizationId,
          stayId: opened.id
        })
        if (Option.isNone(token)) {
          // The stay is open and its key was retired too early: only the operator can help, by bringing the key back.
          return yield* new StoreError({
            operation: "derive exit token",
            cause: `key ${opened.keyId} is not configured`
          })
        }
        return {
          _tag: "Entrance",
          premises,
          timestamp: opened.entrance,
          exitToken: token.value,
          orgAuthServerId: opened.orgAuthServerId
        } satisfies TrackedMovement
      })

      /** Whoever claims to be somebody else is refused for that, whatever their token is worth (contract, section 3). */
      const refuseFalseClaim = Effect.fnUntraced(function* ({ userId }: User, exit: Exit, unmatched: ExitNotMatched) {
        if (exit.orgAuthServerId === undefined) return yield* unmatched
        const tie = yield* links.tie(exit.premises, userId)
        if (Option.isNone(tie) || Option.isNone(tie.value.linked)) return yield* unmatched
        const { mode, linked } = tie.value
        const claim = identify(mode, linked, exit.orgAuthServerId)
        return yield* Result.isFailure(claim) ? claim.failure : unmatched
      })

      const leave = Effect.fnUntraced(function* (user: User, exit: Exit) {
        const { premises, timestamp, orgAuthServerId } = exit
        const stay = tokens.recognize(premises, exit.exitToken)
        if (Option.isNone(stay)) return yield* refuseFalseClaim(user, exit, new ExitNotMatched())
        const claim = { timestamp, orgAuthServerId, now: yield* now }
        const closed = yield* Effect.catchTag(
          stays.close({ premises, stay: stay.value, userId: user.userId, claim }),
          "ExitNotMatched",
          (unmatched) => refuseFalseClaim(user, exit, unmatched)
        )
        return {
          _tag: "Exit",
          premises,
          timestamp: closed.exit,
          exitToken: exit.exitToken as ExitToken,
          orgAuthServerId: closed.orgAuthServerId
        } satisfies TrackedMovement
      })

      return Movements.of({
        track: (user, movement) => (movement._tag === "Entrance" ? enter(user, movement) : leave(user, movement))
      })
    })
  )
}
