/** Runs a job of the load generator over connections of its own. */
import { connect } from "node:net"
import { setTimeout as pause } from "node:timers/promises"
import { quantile } from "../shared/statistics.ts"
import { makeAnswers } from "./Answers.ts"
import type { Job, Outcome } from "./Job.ts"
import { type Exchange, isRefusal, workOf } from "./work.ts"

/** A connection that was idle for longer, in milliseconds, is not used again: the server may be about to close it. */
const MAX_IDLE_MS = 1_000

/** The time for movements that still wait for a connection or an answer at the end, in milliseconds. */
const LAST_ANSWERS_MS = 20_000

/** An exchange, and the moment of `performance.now` that its latency counts from. */
interface Timed {
  readonly exchange: Exchange
  readonly from: number
}

interface Connection {
  readonly send: (next: Timed) => void
  readonly close: () => void
  idleSince: number
}

/** Runs a job and returns its outcome. */
export const generate = async (job: Job, lastAnswers = LAST_ANSWERS_MS): Promise<Outcome> => {
  const { host, port, seconds, work } = job
  const counts = { entrances: 0, exits: 0 }
  const errors: Record<string, number> = {}
  const latencies: Array<number> = []
  const pending: Array<Timed> = []
  const free: Array<Connection> = []
  let refused = 0
  const inFlight = { count: 0 }
  let open = 0
  const next = workOf(job, counts)
  const fail = (what: string) => void (errors[what] = (errors[what] ?? 0) + 1)

  const usage = process.cpuUsage()
  const began = performance.now()
  const end = began + seconds * 1000
  const isClosedLoop = work._tag !== "Arrivals"

  /** Opens a connection. `take` returns what it sends when it is free. */
  const openConnection = (first: Timed, take: () => Timed | undefined): void => {
    const read = makeAnswers()
    let current: Timed | undefined
    const socket = connect({ host, port, noDelay: true })
    const connection: Connection = {
      send: (timed) => {
        current = timed
        const { bytes } = timed.exchange
        if (typeof bytes === "string") socket.write(bytes, "latin1")
        else socket.write(bytes)
      },
      close: () => socket.destroy(),
      idleSince: 0
    }
    const proceed = (following: Timed | undefined) => {
      if (following !== undefined) return connection.send(following)
      inFlight.count--
      const taken = take()
      if (taken !== undefined) {
        inFlight.count++
        return connection.send(taken)
      }
      if (isClosedLoop) return connection.close()
      connection.idleSince = performance.now()
      free.push(connection)
    }
    open++
    inFlight.count++
    socket.once("connect", () => connection.send(first))
    socket.on("data", (arrived) => {
      const answer = read(arrived)
      if (answer === undefined || current === undefined) return
      const { exchange, from } = current
      const now = performance.now()
      current = undefined
      if (answer.status === exchange.status) {
        latencies.push(now - from)
        const following = exchange.answered?.(answer.body)
        return proceed(following && { exchange: following, from: now })
      }
      if (!isClosedLoop && isRefusal(answer)) {
        refused++
        exchange.refused?.()
      } else fail(`status ${answer.status}`)
      proceed(undefined)
    })
    socket.on("error", () => {})
    socket.once("close", () => {
      open--
      const at = free.indexOf(connection)
      if (at >= 0) free.splice(at, 1)
      else if (current !== undefined || socket.bytesWritten === 0) {
        inFlight.count--
        fail("closed without an answer")
      }
    })
  }

  /** The free connection that answered last. */
  const takeFree = (): Connection | undefined => {
    const connection = free.pop()
    if (connection === undefined || performance.now() - connection.idleSince <= MAX_IDLE_MS) return connection
    connection.close()
    return takeFree()
  }

  const dispatch = (timed: Timed) => {
    const connection = takeFree()
    if (connection !== undefined) {
      inFlight.count++
      connection.send(timed)
    } else if (open < job.connections) openConnection(timed, () => pending.shift())
    else pending.push(timed)
  }

  if (isClosedLoop) {
    for (let nth = 0; nth < job.connections; nth++) {
      const begin = () => ({ exchange: next(nth), from: performance.now() })
      openConnection(begin(), () => (performance.now() < end ? begin() : undefined))
    }
  } else {
    const all = Math.round(work.perSecond * seconds)
    for (let arrived = 0; arrived < all;) {
      const due = Math.min(all, Math.floor(((performance.now() - began) * work.perSecond) / 1000))
      for (; arrived < due; arrived++) {
        dispatch({ exchange: next(0), from: began + (1000 * arrived) / work.perSecond })
      }
      await pause(1)
    }
  }
  const giveUp = end + lastAnswers
  while (inFlight.count > 0 && performance.now() < giveUp) await pause(1)
  const duration = performance.now() - began
  const { user, system } = process.cpuUsage(usage)
  if (inFlight.count > 0) errors["not answered"] = inFlight.count
  for (const connection of free) connection.close()
  const sorted = Float64Array.from(latencies).sort()
  return {
    requests: sorted.length,
    ...counts,
    refused,
    unsent: pending.length,
    errors,
    p50: quantile(sorted, 0.5),
    p99: quantile(sorted, 0.99),
    duration,
    processor: (user + system) / 1000
  }
}
