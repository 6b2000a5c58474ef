import { lookup } from "node:dns/promises"
import type { Resolve } from "./Options.ts"

interface Waiter {
  readonly resolve: (addresses: ReadonlyArray<string>) => void
  readonly reject: (error: unknown) => void
}

/**
 * Runs the system's lookups one at a time. Each occupies one of the four threads that Node shares with files and cryptography,
 * and cannot be cancelled. So requests for a name that is running or queued share its lookup, and a queued name without
 * remaining requests is dropped.
 */
export const makeLookupQueue = (): Resolve => {
  const waiting = new Map<string, Set<Waiter>>()
  let current: readonly [host: string, waiters: Set<Waiter>] | undefined

  const look = async (host: string, waiters: Set<Waiter>): Promise<void> => {
    try {
      const addresses = (await lookup(host, { all: true })).map(({ address }) => address)
      for (const { resolve } of waiters) resolve(addresses)
    } catch (error) {
      for (const { reject } of waiters) reject(error)
    }
    current = undefined
    next()
  }
  const next = () => {
    const [first] = waiting
    if (current !== undefined || first === undefined) return
    current = first
    waiting.delete(first[0])
    void look(...first)
  }

  return (host, signal) =>
    new Promise((resolve, reject) => {
      signal.throwIfAborted()
      const waiters = (current?.[0] === host ? current[1] : waiting.get(host)) ?? new Set<Waiter>()
      const waiter: Waiter = { resolve, reject }
      const leave = () => {
        reject(signal.reason)
        waiters.delete(waiter)
        if (waiters.size === 0 && waiting.get(host) === waiters) waiting.delete(host)
      }
      signal.addEventListener("abort", leave, { once: true })
      waiters.add(waiter)
      if (current?.[0] !== host) waiting.set(host, waiters)
      next()
    })
}
