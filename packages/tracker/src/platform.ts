/** The tracker's only access to timers, randomness and locks, so that the simulation can replace them. */

export interface Platform {
  readonly setTimeout: (run: () => void, milliseconds: number) => unknown
  readonly clearTimeout: (timer: unknown) => void
  /** From 0 to 1, for delays alone. */
  readonly random: () => number
  /** Runs the work while no other tab does work under this name, where the platform has locks between tabs. */
  readonly exclusively: <A>(name: string, work: () => Promise<A>) => Promise<A>
}

interface Globals {
  readonly setTimeout: Platform["setTimeout"]
  readonly clearTimeout: Platform["clearTimeout"]
  readonly crypto: { readonly getRandomValues: (bytes: Uint8Array) => Uint8Array }
  readonly AbortController?: new () => { readonly signal: unknown; readonly abort: () => void }
  readonly navigator?: {
    readonly locks?: { readonly request: <A>(name: string, work: () => Promise<A>) => Promise<A> }
  }
  readonly fetch: (url: string, request: object) => Promise<any>
}

/** How long to wait for the lock of another tab, in milliseconds. */
const LOCK_TIMEOUT_MS = 5_000

export const globals = globalThis as unknown as Globals

export const platform: Platform = {
  setTimeout: (run, milliseconds) => globals.setTimeout(run, milliseconds),
  clearTimeout: (timer) => globals.clearTimeout(timer),
  random: Math.random,
  exclusively: <A>(name: string, work: () => Promise<A>): Promise<A> => {
    const { locks } = globals.navigator ?? {}
    if (locks === undefined) return work()
    let working: Promise<A> | undefined
    const workOnce = () => (working ??= work())
    // A tab that the system has suspended may hold the lock for hours.
    return within(platform, LOCK_TIMEOUT_MS, "", locks.request(name, workOnce)).catch(workOnce)
  }
}

/** A timer that keeps no process of Node alive, and is set at most once at a time. */
export const makeTimer = ({ setTimeout, clearTimeout }: Platform) => {
  let timer: { readonly unref?: () => void } | undefined
  const stop = () => {
    if (timer !== undefined) clearTimeout(timer)
    timer = undefined
  }
  return {
    isSet: () => timer !== undefined,
    stop,
    set: (run: () => void, milliseconds: number) => {
      stop()
      timer = setTimeout(() => {
        timer = undefined
        run()
      }, milliseconds) as typeof timer
      timer?.unref?.()
    }
  }
}

/** The outcome of the work, or a rejection when it takes longer. */
export const within = <A>(
  { setTimeout, clearTimeout }: Platform,
  milliseconds: number,
  message: string,
  work: PromiseLike<A>
): Promise<A> =>
  new Promise((resolve, reject) => {
    const timer = setTimeout(() => reject(new Error(message)), milliseconds)
    work.then(
      (value) => {
        clearTimeout(timer)
        resolve(value)
      },
      (error: unknown) => {
        clearTimeout(timer)
        reject(error)
      }
    )
  })

/** So many random bytes as hexadecimal digits. */
export const randomName = (bytes: number): string =>
  Array.from(globals.crypto.getRandomValues(new Uint8Array(bytes)), (byte) => byte.toString(16).padStart(2, "0")).join(
    ""
  )
