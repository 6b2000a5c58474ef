/** What the laws of histories start from: times, and calls of the ports. */
import {
  type HistoryQuery,
  historyRange,
  historyRows,
  type HistoryStep,
  HistoryStore,
  type Premises,
  type Timestamp,
  Timestamp as timestamp
} from "@sojourn/core"
import { Clock, Effect, Result } from "effect"
import { after } from "../../../arbitraries/times.ts"
import type { OrganizationFixture } from "../../shared/fixtures.ts"
import { DAY, HOUR } from "../../shared/policies.ts"

export const MINUTE = 60_000

/** 8 o'clock of the next day, in UTC: after the beginning of every feed, which an adapter may take from the real clock. */
export const nextMorning = Effect.map(Clock.currentTimeMillis, (now) =>
  timestamp((Math.floor(now / DAY) + 1) * DAY + 8 * HOUR)
)

/** A range of whole steps that holds two days from the beginning of the day of a time. */
export const twoDays = (step: HistoryStep, at: Timestamp, timeZone?: string): HistoryQuery => {
  const from = timestamp(Math.floor(at / DAY) * DAY)
  return { step, from, to: after(from, (step === "minute" ? 1 : 2) * DAY), timeZone }
}

/** The steps that a query asks for. */
export const stepsOf = (query: HistoryQuery) => Result.getOrThrow(historyRange(query))

export const rollUp = (most: number) => HistoryStore.use((store) => store.rollUp(most))

/** Rolls up until nothing is left. */
export const rollUpAll = Effect.gen(function* () {
  while ((yield* rollUp(1_000)) > 0);
})

/** The rows of a range as the organization's owner reads them. */
export const rowsOf = Effect.fnUntraced(function* (
  { owner }: Pick<OrganizationFixture, "owner">,
  premises: Premises,
  query: HistoryQuery,
  now: Timestamp
) {
  const range = stepsOf(query)
  const stored = yield* HistoryStore.use((store) => store.read(owner, premises, range))
  return historyRows(range, stored, now)
})
