/** Fixtures of the laws of stay policies. */
import {
  LongestStay,
  Retention,
  type StayPolicyChange,
  StayPolicyStore,
  type Timestamp,
  changeStayPolicy
} from "@sojourn/core"
import { Effect, Option } from "effect"
import { NOW } from "../../arbitraries/times.ts"
import type { OrganizationFixture } from "./fixtures.ts"

export const HOUR = 3_600_000
export const DAY = 24 * HOUR

export const TWELVE_HOURS = LongestStay.make(12 * 3600)

export const NINETY_DAYS = Retention.make(90 * 86_400)

/** Gives an organization a policy. */
export const changePolicy = ({ id }: Pick<OrganizationFixture, "id">, change: StayPolicyChange) =>
  StayPolicyStore.use((store) =>
    store.change({ organizationId: id, decide: (policy) => changeStayPolicy(policy, change) })
  )

/** Takes the next sweep lease of an organization; by default it is always due. */
export const takeLease = ({ id }: Pick<OrganizationFixture, "id">, now: Timestamp = NOW, every = 0) =>
  StayPolicyStore.use((store) => store.takeLease({ organizationId: id, every, now }))

/** How many stays one batch under a new lease ends; 0 where no lease is granted. */
const ended = (what: "abandon" | "forget") =>
  Effect.fnUntraced(function* (fixture: Pick<OrganizationFixture, "id">, now: Timestamp, most = 1000) {
    const store = yield* StayPolicyStore
    const lease = yield* takeLease(fixture, now)
    return Option.isNone(lease) ? 0 : yield* store[what]({ lease: lease.value, now, most, isFirst: true })
  })

export const abandonBatch = ended("abandon")
export const forgetBatch = ended("forget")
