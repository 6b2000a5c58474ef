/** The open-loop generator: sends movements when they are due, over as many connections as that takes. */
import { connect, type Socket } from "node:net"
import { setTimeout as pause } from "node:timers/promises"
import { type Answer, makeAnswers } from "../load/Answers.ts"
import { movementsOf } from "../load/requests.ts"
import { quantile } from "../shared/quantile.ts"
import type { Arrivals, Received, Times } from "./Arrivals.ts"
import { type Crossing, makePeople } from "./Crossing.ts"

const PATH = "/movement/track/organization"

/** How long the last answers are waited for after nothing more is sent, in milliseconds. */
const LAST_ANSWERS = 20_000

/** Who was sent so much later than due has waited for a connection, in milliseconds. */
const LATE = 20

/** How many movements may wait for a free connection; further ones are not sent, which is an error of ours. */
const MOST_WAITING = 1_000_000

const RETRY_AFTER = /\r\nretry-after: *\d/i
const LAST = /\r\nconnection: *close/i
const KEPT = /\r\nkeep-alive: *timeout=(\d+)/i

interface Line {
  readonly socket: Socket
  crossing: Crossing | undefined
  /** When it was sent, or its connection was asked for. */
  sent: number
}

const timesOf = (latencies: ReadonlyArray<number>): Times => {
  const sorted = Float64Array.from(latencies).sort()
  return { count: sorted.length, p50: quantile(sorted, 0.5), p99: quantile(sorted, 0.99), longest: quantile(sorted, 1) }
}

/** Lets movements arrive, and tells what came of them. */
export const receive = async (arrivals: Arrivals, lastAnswers = LAST_ANSWERS): Promise<Received> => {
  const { connections, host, organizationId, patience, perSecond, port, seconds, tokens } = arrivals
  const people = makePeople(tokens.map((token) => movementsOf(PATH, organizationId, token, `${host}:${port}`)))
  const tracked: Array<number> = []
  const refused: Array<number> = []
  const errors: Record<string, number> = {}
  const free: Array<Line> = []
  const lines = new Set<Line>()
  const waiting: Array<Crossing> = []
  let first = 0
  /** For how long the server keeps a connection that is not in use, in milliseconds, as its first answer says. */
  let kept: number | undefined
  let opened = 0
  let waited = 0

  const pending = { count: 0 }
  const wrong = (what: string) => void (errors[what] = (errors[what] ?? 0) + 1)

  const over = (crossing: Crossing, sent: number, { status, body, head }: Answer) => {
    pending.count--
    const took = performance.now() - sent
    if (sent - crossing.due > LATE) waited++
    if (status === crossing.status) {
      tracked.push(took)
      crossing.tracked(body)
    } else if ((status === 503 || status === 429) && RETRY_AFTER.test(head)) {
      refused.push(took)
      crossing.refused()
    } else wrong(`status ${status}`)
  }

  const send = (line: Line, crossing: Crossing) => {
    line.crossing = crossing
    line.sent = performance.now()
    const { bytes } = crossing
    if (typeof bytes === "string") line.socket.write(bytes, "latin1")
    else line.socket.write(bytes)
  }

  const takeWaiting = (): Crossing | undefined => {
    const next = waiting[first]
    if (next === undefined) return undefined
    first++
    if (first > 10_000) {
      waiting.splice(0, first)
      first = 0
    }
    return next
  }

  /**
   * Whether the server may be about to close it. It waits for the next question since it answered the last, which was after
   * that was asked, and may have been long before the answer was read.
   */
  const isOld = (line: Line) => performance.now() - line.sent >= (kept ?? Infinity)

  const drop = (line: Line) => {
    lines.delete(line)
    line.socket.destroy()
  }

  const serve = (line: Line) => {
    const next = takeWaiting()
    if (next === undefined) free.push(line)
    else send(line, next)
  }

  const replace = (line: Line) => {
    drop(line)
    const next = takeWaiting()
    if (next !== undefined) open(next)
  }

  const open = (crossing: Crossing) => {
    opened++
    const socket = connect({ host, port, noDelay: true })
    const line: Line = { socket, crossing, sent: performance.now() }
    lines.add(line)
    const read = makeAnswers()
    socket.once("connect", () => send(line, crossing))
    socket.on("data", (arrived) => {
      const answer = read(arrived)
      if (answer === undefined || line.crossing === undefined) return
      over(line.crossing, line.sent, answer)
      line.crossing = undefined
      kept ??= 1000 * Number(KEPT.exec(answer.head)?.[1] ?? Infinity)
      if (LAST.test(answer.head) || isOld(line)) replace(line)
      else serve(line)
    })
    socket.on("error", () => {})
    socket.once("close", () => {
      lines.delete(line)
      const at = free.indexOf(line)
      if (at >= 0) free.splice(at, 1)
      if (line.crossing === undefined) return
      pending.count--
      wrong("closed without an answer")
    })
  }

  /** The connection that answered last, which is the warmest. */
  const takeFree = (): Line | undefined => {
    for (let line = free.pop(); line !== undefined; line = free.pop()) {
      if (!isOld(line)) return line
      drop(line)
    }
    return undefined
  }

  const begin = (crossing: Crossing) => {
    pending.count++
    const line = takeFree()
    if (line !== undefined) send(line, crossing)
    else if (lines.size < connections) open(crossing)
    else if (waiting.length - first < MOST_WAITING) waiting.push(crossing)
    else {
      pending.count--
      wrong("not sent")
    }
  }

  const processor = process.cpuUsage()
  const began = performance.now()
  const all = Math.round(perSecond * seconds)
  for (let due = 0; due < all;) {
    const now = Math.min(all, Math.floor(((performance.now() - began) * perSecond) / 1000))
    for (; due < now; due++) begin(people.next(began + (1000 * due) / perSecond))
    await pause(1)
  }
  const cameAll = performance.now()
  while (waiting.length > first && performance.now() - cameAll < patience) await pause(5)
  // Who has found no free connection until now goes away.
  const unsent = waiting.length - first
  waiting.length = 0
  first = 0
  pending.count -= unsent
  // The last may have been sent a moment ago, however long it waited before.
  const sentAll = performance.now()
  while (pending.count > 0 && performance.now() - sentAll < lastAnswers) await pause(5)
  if (pending.count > 0) errors["no answer"] = pending.count
  const duration = performance.now() - began
  const used = process.cpuUsage(processor)
  for (const line of lines) line.socket.removeAllListeners("close").destroy()
  return {
    due: all,
    tracked: timesOf(tracked),
    refused: timesOf(refused),
    errors,
    ...people.counts(),
    opened,
    waited,
    unsent,
    duration,
    processor: (used.user + used.system) / 1000
  }
}
