/** Use cases of entrances and exits: the path that every movement takes. */
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as Result from "effect/Result"
import { type IdentityNotOwn, identify, type NotLinked } from "../../domain/accounts/AccountLink.ts"
import type { User } from "../../domain/accounts/Caller.ts"
import type { Premises } from "../../domain/shared/Premises.ts"
import type { ExitToken, ExitTokenScheme } from "../../domain/keys/ExitToken.ts"
import type { Entrance, Exit, Movement, TrackedMovement } from "../../domain/stays/Movement.ts"
import {
  ExitBeforeEntrance,
  ExitNotMatched,
  type PremisesNotFound,
  type TimestampInFuture,
  type TimestampTooOld
} from "../../domain/stays/Stay.ts"
import { AccountLinkStore } from "../../ports/accounts/AccountLinkStore.ts"
import { type Leaving, type Opened, StayLog } from "../../ports/stays/StayLog.ts"
import { StoreError } from "../../ports/shared/StoreError.ts"
import { ExitTokens } from "../keys/ExitTokens.ts"
import { withNow } from "../shared/now.ts"

/** Why a movement is not tracked. */
export type MovementRefusal =
  | PremisesNotFound
  | NotLinked
  | IdentityNotOwn
  | TimestampInFuture
  | TimestampTooOld
  | ExitNotMatched
  | ExitBeforeEntrance

/** Tracks the entrances and exits of users (spec: stays#movements). */
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
      const exitTokens = yield* ExitTokens
      const links = yield* AccountLinkStore

      // Chained by hand, as every movement passes here: generators cost more, and keep more in memory while the stay is written.
      const enter = (
        tokens: ExitTokenScheme,
        user: User,
        { premises, timestamp, orgAuthServerId, idempotencyKey, leaves }: Entrance
      ) =>
        withNow((now) => {
          const leaving = leaves && leavingOf(tokens, leaves)
          if (leaves !== undefined && leaving === undefined) return Effect.fail(new ExitNotMatched())
          return Effect.flatMapEager(
            stays.open({
              premises,
              leaves: leaving,
              userId: user.userId,
              claim: { timestamp, orgAuthServerId, now },
              keyId: tokens.signingKeyId,
              retryKey:
                idempotencyKey === undefined
                  ? Option.none()
                  : Option.some(tokens.retryKey(user.userId, premises, idempotencyKey))
            }),
            (opened) => entered(tokens, opened)
          )
        })

      /** The stays of tokens that end with an entrance; undefined where one is no token, or is named twice. */
      const leavingOf = (tokens: ExitTokenScheme, texts: ReadonlyArray<string>): ReadonlyArray<Leaving> | undefined => {
        const leaving = texts.flatMap((text) => {
          const stay = Option.getOrUndefined(tokens.locate(text))
          const isOf = (premises: Premises) => Option.isSome(tokens.recognize(premises, text))
          return stay === undefined ? [] : [{ stay, isOf }]
        })
        return leaving.length === new Set(texts).size && leaving.length === texts.length ? leaving : undefined
      }

      const entered = (
        tokens: ExitTokenScheme,
        { id, organizationId, premises, keyId, entrance, orgAuthServerId }: Opened
      ) => {
        const token = tokens.derive(keyId, premises, { organizationId, stayId: id })
        // The stay is open and its key was retired too early: only the operator can help, by bringing the key back.
        if (Option.isNone(token)) {
          return Effect.fail(
            new StoreError({ operation: "derive exit token", cause: `key ${keyId} is not configured` })
          )
        }
        const exitToken = token.value
        return Effect.succeed<TrackedMovement>({
          _tag: "Entrance",
          premises,
          timestamp: entrance,
          exitToken,
          orgAuthServerId
        })
      }

      /** A caller who claims to be another person is refused for that, even where the token is invalid (spec: stays#identity-before-token). */
      const refuseFalseClaim = Effect.fnUntraced(function* ({ userId }: User, exit: Exit, unmatched: ExitNotMatched) {
        if (exit.orgAuthServerId === undefined) return yield* unmatched
        const tie = yield* links.tie(exit.premises, userId)
        if (Option.isNone(tie) || Option.isNone(tie.value.linked)) return yield* unmatched
        const { mode, linked } = tie.value
        const claim = identify(mode, linked, exit.orgAuthServerId)
        return yield* Result.isFailure(claim) ? claim.failure : unmatched
      })

      const leave = (tokens: ExitTokenScheme, user: User, exit: Exit) =>
        withNow((now): Effect.Effect<TrackedMovement, MovementRefusal | StoreError> => {
          const { premises, timestamp, orgAuthServerId } = exit
          const stay = tokens.recognize(premises, exit.exitToken)
          if (Option.isNone(stay)) return refuseFalseClaim(user, exit, new ExitNotMatched())
          const claim = { timestamp, orgAuthServerId, now }
          return Effect.matchEffect(stays.close({ premises, stay: stay.value, userId: user.userId, claim }), {
            onSuccess: (closed) =>
              Effect.succeed<TrackedMovement>({
                _tag: "Exit",
                premises,
                timestamp: closed.exit,
                exitToken: exit.exitToken as ExitToken,
                orgAuthServerId: closed.orgAuthServerId
              }),
            onFailure: (failure): Effect.Effect<never, MovementRefusal | StoreError> =>
              failure._tag === "ExitNotMatched" ? refuseFalseClaim(user, exit, failure) : Effect.fail(failure)
          })
        })

      const move = (tokens: ExitTokenScheme, user: User, movement: Movement) =>
        movement._tag === "Entrance" ? enter(tokens, user, movement) : leave(tokens, user, movement)

      /** Those of the storage, which never change: no movement but the first asks for them. */
      let known: ExitTokenScheme | undefined

      return Movements.of({
        track: (user, movement) =>
          known !== undefined
            ? move(known, user, movement)
            : Effect.flatMap(exitTokens, (tokens) => move((known = tokens), user, movement))
      })
    })
  )
}
