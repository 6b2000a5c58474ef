/** Movements of workers: the primary process writes those of all workers, so that they share statements and commits. */
import {
  type ClosedStay,
  type Closing,
  ExitBeforeEntrance,
  ExitNotMatched,
  IdentityNotOwn,
  type MovementClaim,
  NotLinked,
  type Opened,
  type Opening,
  OrganizationPremises,
  PlacePremises,
  type Premises,
  premisesId,
  PremisesNotFound,
  StayLog,
  StoreError,
  TimestampInFuture
} from "@sojourn/core"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import { type Caller, decodeFailure, encodeFailure } from "./Calls.ts"

/** The failures of movements, by their tags. */
const FAILURES = {
  ExitBeforeEntrance,
  ExitNotMatched,
  IdentityNotOwn,
  NotLinked,
  PremisesNotFound,
  StoreError,
  TimestampInFuture
}

// Messages are lists of JSON: objects, and copies of what a worker knows itself, cost half of the time that a message takes. Ids are
// text, since those of a request may be larger than a number holds.
type Plain<A> = A | null

type SentClaim = readonly [now: number, timestamp: Plain<number>, orgAuthServerId: Plain<string>]
type SentPremises = readonly [isPlace: boolean, id: string]
type SentOpening = readonly [...SentPremises, ...SentClaim, userId: string, keyId: number, retryKey: Plain<string>]
type SentClosing = readonly [...SentPremises, ...SentClaim, userId: string, organizationId: string, stayId: string]
type SentStay = readonly [id: string, organizationId: string, orgAuthServerId: Plain<string>, entrance: number]
type SentOpened = readonly [...SentStay, keyId: number]
type SentClosed = readonly [...SentStay, exit: number]

const sentPremises = (premises: Premises): SentPremises => [
  premises._tag === "PlacePremises",
  String(premisesId(premises))
]
const sentClaim = ({ now, timestamp, orgAuthServerId }: MovementClaim): SentClaim => [
  now,
  timestamp ?? null,
  orgAuthServerId ?? null
]
const sentStay = ({ id, organizationId, orgAuthServerId, entrance }: Opened | ClosedStay): SentStay => [
  String(id),
  String(organizationId),
  orgAuthServerId ?? null,
  entrance
]

const premisesOf = (isPlace: boolean, id: string): Premises =>
  isPlace ? PlacePremises(BigInt(id) as never) : OrganizationPremises(BigInt(id) as never)
const claimOf = (now: number, timestamp: Plain<number>, orgAuthServerId: Plain<string>) =>
  ({ now, timestamp: timestamp ?? undefined, orgAuthServerId: orgAuthServerId ?? undefined }) as MovementClaim
const stayOf = (premises: Premises, [id, organizationId, orgAuthServerId, entrance]: SentOpened | SentClosed) =>
  ({
    id: BigInt(id),
    organizationId: BigInt(organizationId),
    premises,
    orgAuthServerId: orgAuthServerId ?? undefined,
    entrance
  }) as Pick<Opened & ClosedStay, "id" | "organizationId" | "premises" | "orgAuthServerId" | "entrance">

const encoded = <A, E extends { readonly _tag: string }>(
  written: Effect.Effect<A, E>,
  encode: (answer: A) => SentOpened | SentClosed
) => Effect.mapBothEager(written, { onSuccess: encode, onFailure: encodeFailure })

/** The methods of the primary process that write movements. */
export const movementMethods = ({ open, close }: StayLog["Service"]) => ({
  enter: ([isPlace, id, now, timestamp, orgAuthServerId, userId, keyId, retryKey]: SentOpening) =>
    encoded(
      open({
        premises: premisesOf(isPlace, id),
        claim: claimOf(now, timestamp, orgAuthServerId),
        userId,
        keyId,
        retryKey: Option.fromNullishOr(retryKey)
      } as Opening),
      (opened) => [...sentStay(opened), opened.keyId]
    ),
  exit: ([isPlace, id, now, timestamp, orgAuthServerId, userId, organizationId, stayId]: SentClosing) =>
    encoded(
      close({
        premises: premisesOf(isPlace, id),
        claim: claimOf(now, timestamp, orgAuthServerId),
        userId,
        stay: { organizationId: BigInt(organizationId), stayId: BigInt(stayId) }
      } as Closing),
      (closed) => [...sentStay(closed), closed.exit]
    )
})

/** The stay log with its movements written by the primary process, and everything else as it is. */
export const withRemoteMovements = (log: StayLog["Service"], { call }: Caller): StayLog["Service"] => {
  const ask = <A, E>(
    method: string,
    premises: Premises,
    sent: SentOpening | SentClosing,
    answer: (value: never) => A
  ) =>
    Effect.matchEffect(call(method, sent), {
      onSuccess: (value) => Effect.succeed(answer(value as never)),
      onFailure: decodeFailure(FAILURES, { premises })
    }) as Effect.Effect<A, E>
  return {
    ...log,
    open: (opening) => {
      const { premises, claim, userId, keyId, retryKey, leaves = [] } = opening
      // Those that it ends are named by a function.
      if (leaves.length > 0) return log.open(opening)
      return ask(
        "enter",
        premises,
        [...sentPremises(premises), ...sentClaim(claim), userId, keyId, Option.getOrNull(retryKey)],
        (opened: SentOpened): Opened => ({ ...stayOf(premises, opened), keyId: opened[4] })
      )
    },
    close: ({ premises, claim, userId, stay: { organizationId, stayId } }) =>
      ask(
        "exit",
        premises,
        [...sentPremises(premises), ...sentClaim(claim), userId, String(organizationId), String(stayId)],
        (closed: SentClosed) => ({ _tag: "ClosedStay", ...stayOf(premises, closed), exit: closed[4] }) as ClosedStay
      )
  }
}

/** The stores of a worker: those of the layer, with its movements written by the primary process. */
export const layerRemoteMovements =
  (caller: Caller) =>
  <A, E, R>(stores: Layer.Layer<A | StayLog, E, R>): Layer.Layer<A | StayLog, E, R> =>
    Layer.provideMerge(
      Layer.effect(
        StayLog,
        Effect.map(StayLog, (log) => withRemoteMovements(log, caller))
      ),
      stores
    )
