/** Virtual time: events in their order, and real work that time waits for. */

/** Numbers from 0 to 1 that a seed decides. */
const randomOf = (seed: number) => {
  let state = seed >>> 0
  return () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}

/** More than any day has. */
const MAX_EVENTS = 100_000

interface Event {
  readonly at: number
  readonly run: () => void
}

export const makeWorld = (start: number, seed: number) => {
  const random = randomOf(seed)
  const working = new Set<Promise<unknown>>()
  let events: Array<Event> = []
  let happened = 0
  let time = start

  /** Lets everything happen that needs no time. */
  const settle = async () => {
    do {
      await Promise.all(working)
      await new Promise((resolve) => setImmediate(resolve))
    } while (working.size > 0)
  }

  return {
    random,
    between: (least: number, most: number) => least + random() * (most - least),
    now: () => time,
    /** Does something later. Answers a function that cancels it. */
    after: (milliseconds: number, run: () => void) => {
      const event = { at: time + Math.max(0, milliseconds), run }
      const index = events.findLastIndex(({ at }) => at <= event.at)
      events.splice(index + 1, 0, event)
      return () => {
        events = events.filter((one) => one !== event)
      }
    },
    /** Work of the server takes no time. */
    work: (promise: Promise<unknown>) => {
      working.add(promise)
      const done = () => void working.delete(promise)
      promise.then(done, done)
    },
    runUntil: async (end: number) => {
      await settle()
      while (events[0] !== undefined && events[0].at <= end) {
        if (++happened > MAX_EVENTS) throw new Error("this goes on for ever")
        const event = events.shift()!
        time = event.at
        event.run()
        await settle()
      }
      time = end
    }
  }
}

export type World = ReturnType<typeof makeWorld>
