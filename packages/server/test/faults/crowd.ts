import { setTimeout as pause } from "node:timers/promises"
import { makePhone, type Phone, STAMINA, type Surroundings } from "./phone.ts"
import type { Randomness } from "./randomness.ts"

/** People who come and go, until they are told to stay where they are. */
export interface Crowd {
  readonly start: () => void
  /** Ends when every phone knows what became of what it sent. Whoever is inside stays inside. */
  readonly settle: () => Promise<void>
  /** Ends when every phone was answered something that it asked after the moment, a `performance.now()`. */
  readonly servedSince: (moment: number) => Promise<void>
}

export const makeCrowd = (
  surroundings: Surroundings,
  random: Randomness,
  walkers: ReadonlyArray<(phone: Phone) => () => Promise<void>>
): Crowd => {
  const state = { isMoving: false }
  let walking: ReadonlyArray<Promise<void>> = []
  const phones = walkers.map((walker) => {
    const phone = makePhone(surroundings)
    const own = random.fork()
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
      const giveUp = performance.now() + STAMINA
      while (phones.some(({ phone }) => phone.servedAt() <= moment)) {
        if (performance.now() > giveUp) return surroundings.ledger.fault("wrong", "not every phone was served again")
        await pause(5)
      }
    }
  }
}
