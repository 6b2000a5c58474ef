import { lookup } from "node:dns/promises"
import type { Resolve } from "./Options.ts"

interface Waiter {
  readonly resolve: (addresses: ReadonlyArray<string>) => void
  readonly reject: (error: unknown) => void
}

/**
 * The system's own look-ups, one name after the other. Each takes one of the four threads that Node has for files and
 * cryptography as well, and keeps it for as long as it takes: nothing can stop it. So whoever asks for a name that is being
 * looked up, or waits for its turn, shares that look-up, and a name whose askers all left is not looked up any more.
 */
export const makeLookups = (): Resolve => {
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
