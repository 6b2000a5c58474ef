/** Runs a job of the load generator over connections of its own. */
import { setTimeout as pause } from "node:timers/promises"
import { type Connection, openConnection, type Timed } from "./Connection.ts"
import type { Job, Outcome } from "./Job.ts"
import { makeTally } from "./Tally.ts"
import { workOf } from "./work.ts"

/** A connection that was idle for longer, in milliseconds, is not used again: the server may be about to close it. */
const MAX_IDLE_MS = 1_000

/** The time for movements that still wait for a connection or an answer at the end, in milliseconds. */
const LAST_ANSWERS_MS = 20_000

type Tally = ReturnType<typeof makeTally>

/** The connections of a job. `take` returns what a connection sends when it is free. */
const makePool = (job: Job, { fail, take: count }: Tally, take: () => Timed | undefined, keepsIdle: boolean) => {
  const free: Array<Connection> = []
  let inFlight = 0
  let open = 0

  const release = (connection: Connection) => {
    const next = take()
    if (next !== undefined) return connection.send(next)
    inFlight--
    if (!keepsIdle) return connection.close()
    connection.idleSince = performance.now()
    free.push(connection)
  }

  const closed = (connection: Connection, isPending: boolean) => {
    open--
    const at = free.indexOf(connection)
    if (at >= 0) free.splice(at, 1)
    else if (isPending) {
      inFlight--
      fail("closed without an answer")
    }
  }

  const begin = (timed: Timed) => {
    open++
    inFlight++
    openConnection(job, timed, { answered: count, free: release, closed })
  }

  /** The free connection that answered last. */
  const takeFree = (): Connection | undefined => {
    const connection = free.pop()
    if (connection === undefined || performance.now() - connection.idleSince <= MAX_IDLE_MS) return connection
    connection.close()
    return takeFree()
  }

  /** Sends a request over a free connection or a new one. Returns whether there was one. */
  const dispatch = (timed: Timed): boolean => {
    const connection = takeFree()
    if (connection === undefined && open >= job.connections) return false
    if (connection === undefined) begin(timed)
    else {
      inFlight++
      connection.send(timed)
    }
    return true
  }

  return { begin, dispatch, inFlight: () => inFlight, close: () => free.forEach((connection) => connection.close()) }
}

/** Runs a job and returns its outcome. */
export const generate = async (job: Job, lastAnswers = LAST_ANSWERS_MS): Promise<Outcome> => {
  const { seconds, work } = job
  const tally = makeTally("perSecond" in work)
  const next = workOf(job, tally.counts)
  const began = performance.now()
  const end = began + seconds * 1000
  const pending: Array<Timed> = []
  let pool: ReturnType<typeof makePool>

  if ("perSecond" in work) {
    pool = makePool(job, tally, () => pending.shift(), true)
    const all = Math.round(work.perSecond * seconds)
    for (let arrived = 0; arrived < all; await pause(1)) {
      const due = Math.min(all, Math.floor(((performance.now() - began) * work.perSecond) / 1000))
      for (; arrived < due; arrived++) {
        const timed = { exchange: next(), from: began + (1000 * arrived) / work.perSecond }
        if (!pool.dispatch(timed)) pending.push(timed)
      }
    }
  } else {
    const take = () => ({ exchange: next(), from: performance.now() })
    pool = makePool(job, tally, () => (performance.now() < end ? take() : undefined), false)
    for (let nth = 0; nth < job.connections; nth++) pool.begin(take())
  }

  while (pool.inFlight() > 0 && performance.now() < end + lastAnswers) await pause(1)
  const duration = performance.now() - began
  const { errors, ...result } = tally.result()
  const unanswered = pool.inFlight()
  pool.close()
  return {
    ...result,
    errors: unanswered > 0 ? { ...errors, "not answered": unanswered } : errors,
    unsent: pending.length,
    duration
  }
}
