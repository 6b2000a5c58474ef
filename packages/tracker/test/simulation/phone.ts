/** A phone: storage that lasts, and tabs that are opened and killed, each with a tracker. */
import { createTrackerOn } from "../../src/createTracker.ts"
import type { Tracker, TrackerStorage } from "../../src/index.ts"
import type { Fetch } from "./network.ts"
import type { World } from "./world.ts"

/** What becomes of a write. */
export const WRITE_FAULTS = [
  "fails",
  "fails after it",
  "is cut off",
  "killed before",
  "killed after",
  "killed within"
] as const

export type WriteFault = (typeof WRITE_FAULTS)[number]

export interface PhoneOptions {
  readonly world: World
  readonly url: string
  readonly user: string
  /** How much the phone's clock is ahead of the server's, in milliseconds. */
  readonly skew: number
  readonly isAsync: boolean
  readonly hasLocks: boolean
  /** The fault of the write with this number, counted over all tabs. */
  readonly writeFault: (write: number) => WriteFault | undefined
  readonly network: (isAlive: () => boolean) => Fetch
  /** Is called when a fault of a write has killed a tab. */
  readonly onKill: (tab: Tab) => void
}

export interface Tab {
  readonly isAlive: () => boolean
  /** The tracker, once it is there. */
  readonly tracker: () => Tracker | undefined
  readonly kill: () => void
  /** Is called when the tab is killed. */
  readonly killed: Array<() => void>
}

/** The lock that tabs share; a killed tab holds it no longer. */
const makeLock = () => {
  let queue: ReadonlyArray<{ readonly isAlive: () => boolean; readonly run: () => void }> = []
  let holder: (() => boolean) | undefined

  const grant = () => {
    if (holder?.() === true) return
    holder = undefined
    queue = queue.filter(({ isAlive }) => isAlive())
    const [next, ...others] = queue
    if (next === undefined) return
    queue = others
    holder = next.isAlive
    next.run()
  }

  const exclusively =
    (isAlive: () => boolean) =>
    <A>(_: string, work: () => Promise<A>): Promise<A> =>
      new Promise((resolve, reject) => {
        const release = () => {
          holder = undefined
          grant()
        }
        const run = () => {
          const working = work()
          working.then(resolve, reject)
          working.then(release, release)
        }
        queue = [...queue, { isAlive, run }]
        grant()
      })

  return { grant, exclusively }
}

export const makePhone = (options: PhoneOptions) => {
  const { world, url, user, skew, isAsync, hasLocks, writeFault, network, onKill } = options
  const items = new Map<string, string>()
  let writes = 0
  let tokens = 0
  const { grant, exclusively } = makeLock()

  const write = (tab: Tab, key: string, text: string) => {
    const fault = writeFault(writes++)
    if (fault === "is cut off" || fault === "killed within") items.set(key, text.slice(0, text.length / 2))
    if (fault === undefined || fault === "fails after it" || fault === "killed after") items.set(key, text)
    if (fault?.startsWith("killed") === true) {
      tab.kill()
      onKill(tab)
    }
    if (fault !== undefined) throw new Error(`the write ${fault}`)
  }

  const storageOf = (tab: Tab): TrackerStorage => {
    const { isAlive } = tab
    const ask = <A>(act: () => A): any => {
      if (!isAsync) {
        if (!isAlive()) throw new Error("killed")
        return act()
      }
      return new Promise((resolve, reject) => {
        world.after(world.between(1, 30), () => {
          if (!isAlive()) return
          let answer: () => void
          try {
            const value = act()
            answer = () => resolve(value)
          } catch (error) {
            answer = () => reject(error)
          }
          world.after(world.between(1, 30), () => {
            if (isAlive()) answer()
          })
        })
      })
    }
    return {
      getItem: (key) => ask(() => items.get(key) ?? null),
      setItem: (key, text) => ask(() => write(tab, key, text)),
      removeItem: (key) => ask(() => items.delete(key))
    }
  }

  const open = (): Tab => {
    let isAlive = true
    let tracker: Tracker | undefined
    const tab: Tab = {
      isAlive: () => isAlive,
      tracker: () => tracker,
      kill: () => {
        if (!isAlive) return
        isAlive = false
        for (const then of tab.killed) then()
        grant()
      },
      killed: []
    }
    const alive = tab.isAlive
    const platform = {
      setTimeout: (run: () => void, milliseconds: number) =>
        world.after(milliseconds, () => {
          if (isAlive) run()
        }),
      clearTimeout: (cancel: unknown) => (cancel as () => void)(),
      random: world.random,
      exclusively: hasLocks ? exclusively(alive) : <A>(_: string, work: () => Promise<A>) => work()
    }
    const making = createTrackerOn(platform, {
      url,
      token: async () => `${user}~${++tokens}`,
      storage: storageOf(tab),
      fetch: network(alive),
      now: () => world.now() + skew
    })
    making.then(
      (made) => void (tracker = made),
      () => tab.kill()
    )
    return tab
  }

  return { open, items }
}

export type Phone = ReturnType<typeof makePhone>
