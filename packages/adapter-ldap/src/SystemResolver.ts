import { lookup } from "node:dns/promises"
import type { Resolve } from "./Options.ts"

/** Look-ups of names at once. Each takes one of the four threads that Node has for files and cryptography as well. */
const LOOKUPS = 2

/**
 * The system's way from names to addresses, with hosts files and all. One that takes long cannot be stopped and keeps its
 * thread: a name that is being looked up already is not looked up again, and a few names at a time are.
 */
export const makeSystemResolver = (): Resolve => {
  const inFlight = new Map<string, Promise<ReadonlyArray<string>>>()
  const waiting: Array<() => void> = []
  let free = LOOKUPS

  const turn = async (): Promise<void> => {
    if (free > 0) free -= 1
    else await new Promise<void>((resolve) => waiting.push(resolve))
  }
  const next = () => {
    const first = waiting.shift()
    if (first === undefined) free += 1
    else first()
  }
  const lookUp = async (host: string): Promise<ReadonlyArray<string>> => {
    await turn()
    try {
      return (await lookup(host, { all: true })).map(({ address }) => address)
    } finally {
      inFlight.delete(host)
      next()
    }
  }

  return (host) => {
    const known = inFlight.get(host)
    if (known !== undefined) return known
    const asked = lookUp(host)
    inFlight.set(host, asked)
    return asked
  }
}
