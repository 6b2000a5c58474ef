/** What the laws of stay policies start from. */
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import { changeStayPolicy, LongestStay, Retention, type StayPolicyChange } from "../../../domain/StayPolicy.ts"
import type { Timestamp } from "../../../domain/Timestamp.ts"
import { StayPolicyStore } from "../../../ports/StayPolicyStore.ts"
import { NOW } from "../../arbitraries/times.ts"
import type { Ground } from "../given.ts"

export const HOUR = 3_600_000
export const DAY = 24 * HOUR

/** A longest stay of 12 hours. */
export const TWELVE_HOURS = LongestStay.make(12 * 3600)

/** A retention of 90 days. */
export const NINETY_DAYS = Retention.make(90 * 86_400)

/** Gives an organization a policy. */
export const rules = ({ organization }: Pick<Ground, "organization">, change: StayPolicyChange) =>
  StayPolicyStore.use((store) =>
    store.change({ organizationId: organization.id, decide: (policy) => changeStayPolicy(policy, change) })
  )

/** Takes the next turn of sweeping an organization, which is always due unless said otherwise. */
export const takesTurn = ({ organization }: Pick<Ground, "organization">, now: Timestamp = NOW, every = 0) =>
  StayPolicyStore.use((store) => store.takeTurn({ organizationId: organization.id, every, now }))

/** How many stays a turn of an organization ends at a moment: none where nobody gets one. */
const ended = (what: "abandon" | "forget") =>
  Effect.fnUntraced(function* (ground: Pick<Ground, "organization">, now: Timestamp, most = 1000) {
    const store = yield* StayPolicyStore
    const turn = yield* takesTurn(ground, now)
    return Option.isNone(turn) ? 0 : yield* store[what]({ turn: turn.value, now, most })
  })

export const abandoned = ended("abandon")
export const forgotten = ended("forget")
