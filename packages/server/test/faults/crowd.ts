import { Random } from "@sojourn/testing"
import { setTimeout as pause } from "node:timers/promises"
import { makePhone, type Phone, REQUEST_TIMEOUT_MS, type CrowdContext } from "./phone.ts"

/** Simulated clients that enter and leave until they are settled. */
export interface Crowd {
  readonly start: () => void
  /** Stops the clients; resolves when each knows the outcome of its last request. Open stays remain open. */
  readonly settle: () => Promise<void>
  /** Resolves when every client has an answer to a request that it sent after `moment`, a `performance.now()`. */
  readonly servedSince: (moment: number) => Promise<void>
}

export const makeCrowd = (
  context: CrowdContext,
  random: Random,
  walkers: ReadonlyArray<(phone: Phone) => () => Promise<void>>
): Crowd => {
  const state = { isMoving: false }
  let walking: ReadonlyArray<Promise<void>> = []
  const phones = walkers.map((walker) => {
    const phone = makePhone(context)
    const own = new Random(random.below(2 ** 32))
    const step = walker(phone)
    const walk = async () => {
      while (state.isMoving) {
        await pause(own.between(0, 25))
        await step()
      }
    }
    return { phone, walk }
  })
  return {
    start: () => {
      state.isMoving = true
      walking = phones.map(({ walk }) => walk())
    },
    settle: async () => {
      state.isMoving = false
      await Promise.all(walking)
    },
    servedSince: async (moment) => {
      const giveUp = performance.now() + REQUEST_TIMEOUT_MS
      while (phones.some(({ phone }) => phone.servedAt() <= moment)) {
        if (performance.now() > giveUp) return context.ledger.fault("wrong", "not every phone was served again")
        await pause(5)
      }
    }
  }
}
