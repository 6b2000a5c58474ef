/** Sends the recorded movements in order, each once: times by the server's clock, retries, and refusals for good. */
import { type Answer, type Connection, reasonOf, unexpected } from "./connection.ts"
import type { Change, Journal } from "./Journal.ts"
import { inBackground, type Platform } from "./platform.ts"
import type { ServerClock } from "./serverClock.ts"
import { TrackerError } from "./types.ts"
import {
  countWaiting,
  firstWaiting,
  freeze,
  keyOf,
  refuse,
  settleEntrance,
  settleExit,
  type Waiting
} from "./visits.ts"

/** The shortest delay between attempts, and the longest. */
const SHORTEST = 1_000
const LONGEST = 5 * 60_000

/** The longest that a server can ask to wait. */
const LONGEST_PAUSE = 60 * 60_000

/** How often in a row the server's time is asked for until an entrance is sent with the device's. */
const TIME_REQUESTS = 4

/** What became of an attempt: the movement is settled, or its premises wait, or everything does. */
type Outcome = "settled" | "premises wait" | "all wait"

const isTransient = (status: number) =>
  status === 401 || status === 408 || status === 429 || status >= 500 || status < 400

const parseTime = (text: unknown): number | undefined => {
  const time = typeof text === "string" ? Date.parse(text) : Number.NaN
  return Number.isNaN(time) ? undefined : time
}

export interface DeliveryOptions {
  readonly journal: Journal
  readonly connection: Connection
  readonly clock: ServerClock
  readonly platform: Platform
  readonly now: () => number
  /** Is told why an attempt failed, or undefined after one that did not. */
  readonly report: (error: unknown) => void
  /** Is called when the server refused a movement for good. */
  readonly refused: () => void
  /** Is called with the JSON of an answer when the server recorded a movement. */
  readonly settled: (waiting: Waiting, json: any) => void
}

/** Sends the movements that wait, in their order, until each is settled. */
export const makeDelivery = ({
  journal,
  connection,
  clock,
  platform,
  now,
  report,
  refused,
  settled
}: DeliveryOptions) => {
  let failures = 0
  let pausedUntil = -Infinity
  let timer: unknown
  let running: Promise<void> | undefined

  /**
   * The time that a movement is sent with: its own by the server's clock, and of an exit not before its entrance. A time to come
   * is of a position whose time was wrong, or of a clock that was set back since.
   */
  const correct = ({ movement, at, visit }: Waiting): number =>
    Math.max(clock.correct(Math.min(at, now())), movement === "exit" ? (visit.began ?? -Infinity) : -Infinity)

  /** Asks for the server's time where it is unknown. Fails where it stays unknown, for an entrance after some attempts. */
  const learnTime = async ({ movement, sent }: Waiting): Promise<void> => {
    for (let asked = 1; !clock.isKnown(); asked++) {
      const failure = await connection.askTime().then(
        () => new TrackerError("The server's time is unknown."),
        (error: unknown) => error
      )
      if (clock.isKnown()) return
      // The key of an entrance allows to send it with a better time later; an exit with another time is another exit.
      if (movement === "exit") throw failure
      if (asked >= TIME_REQUESTS || sent !== undefined) return
    }
  }

  const request = ({ movement, visit, sequence }: Waiting, sent: number) =>
    connection.call({
      method: "POST",
      path: `/movement/track/${visit.premises.placeId === undefined ? "organization" : "place"}`,
      headers:
        movement === "entrance" ? { "idempotency-key": `${journal.memory().state.installation}-${sequence}` } : {},
      body: {
        movementType: movement,
        ...visit.premises,
        timestamp: new Date(sent).toISOString(),
        ...(movement === "exit" && { exitToken: visit.token })
      }
    })

  const waitForServer = (): Outcome => {
    report(unexpected())
    return "all wait"
  }

  const succeed = async (waiting: Waiting, { json, isHtml }: Answer, sent: number): Promise<Outcome> => {
    /** What was forgotten meanwhile stays forgotten. */
    const keep = async (change: Change) => {
      let isKept = false
      await journal.submit((memory, nextSequence) => {
        isKept = change(memory, nextSequence)
        return isKept
      })
      if (isKept) settled(waiting, json)
    }
    if (waiting.movement === "exit") {
      // A page in the place of an answer is of a network that asks its user to sign in.
      if (isHtml) return waitForServer()
      await keep(({ state }) => settleExit(state, waiting))
      return "settled"
    }
    const { exitToken, timestamp } = json ?? {}
    if (typeof exitToken !== "string") return waitForServer()
    await keep(({ state }) => settleEntrance(state, waiting, exitToken, parseTime(timestamp) ?? sent))
    return "settled"
  }

  const settle = async (waiting: Waiting, answer: Answer, sent: number): Promise<Outcome> => {
    const { status, date, retryAfter } = answer
    if (status >= 200 && status < 300) return succeed(waiting, answer, sent)
    if (isTransient(status)) {
      report(new TrackerError(reasonOf(answer), status))
      if (retryAfter !== undefined) pausedUntil = now() + Math.min(retryAfter, LONGEST_PAUSE)
      return status === 401 || status === 429 ? "all wait" : "premises wait"
    }
    const corrected = correct(waiting)
    if (status === 400 && date !== undefined && sent > date + SHORTEST && corrected < sent) {
      // It was refused for a time to come, so it was not recorded with that time, and can be sent with another.
      await journal.submit(({ state }) => freeze(state, waiting, corrected, false))
      return "settled"
    }
    await journal.submit(({ state }) => refuse(state, waiting, status, reasonOf(answer)))
    refused()
    return "settled"
  }

  /** Sends what can be sent. Answers whether nothing is left that has to be tried again. */
  const pass = async (): Promise<boolean> => {
    const later = new Set<string>()
    for (;;) {
      // What is not stored is not sent.
      await journal.sync()
      const { state } = journal.memory()
      const waiting = firstWaiting(state, later)
      if (waiting === undefined) return later.size === 0
      const { sent, isDoubtful } = waiting
      if (sent === undefined || isDoubtful) await learnTime(waiting)
      if (sent === undefined || (isDoubtful && clock.isKnown())) {
        await journal.submit(({ state }) => freeze(state, waiting, correct(waiting), !clock.isKnown()))
        continue
      }
      const outcome = await settle(waiting, await request(waiting, sent), sent)
      if (outcome === "all wait") return false
      if (outcome === "premises wait") later.add(keyOf(waiting.visit.premises))
    }
  }

  /** How long the server has asked to wait from now on. A pause that is too long is of a clock that was set. */
  const pause = () => {
    const left = pausedUntil - now()
    return left > LONGEST_PAUSE ? 0 : Math.max(0, left)
  }

  const run = async () => {
    if (pause() > 0) return
    let isDone = false
    try {
      isDone = await pass()
      if (isDone) report(undefined)
    } catch (error) {
      report(error)
    }
    failures = isDone ? 0 : failures + 1
  }

  const runOnce = (): Promise<void> => {
    if (timer !== undefined) platform.clearTimeout(timer)
    timer = undefined
    running ??= run().finally(() => {
      running = undefined
      schedule()
    })
    return running
  }

  const isWaiting = () => countWaiting(journal.memory().state) > 0 || !journal.isStored()

  /** Plans the next attempt, if something waits: at once, or with full jitter after failures. */
  const schedule = () => {
    if (running !== undefined || timer !== undefined || !isWaiting()) return
    const bound = Math.min(LONGEST, SHORTEST * 2 ** failures)
    const backoff = failures === 0 ? 0 : SHORTEST + platform.random() * (bound - SHORTEST)
    timer = inBackground(platform, () => void runOnce(), Math.max(backoff, pause()))
  }

  return {
    schedule,
    flush: async () => {
      if (running !== undefined) await running
      // Another tab may have stored what waits.
      await journal.sync().catch(report)
      if (isWaiting()) await runOnce()
    },
    stop: () => {
      if (timer !== undefined) platform.clearTimeout(timer)
      timer = undefined
      failures = 0
      pausedUntil = -Infinity
    }
  }
}
