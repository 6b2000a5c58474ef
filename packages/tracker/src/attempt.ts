/** An attempt to send a movement: its time by the server's clock, the request, and what the answer means. */
import { ENDPOINTS } from "./endpoints.ts"
import { type Answer, type Connection, reasonOf, unexpected } from "./connection.ts"
import type { Change } from "./changes.ts"
import type { Journal } from "./Journal.ts"
import type { ServerClock } from "./serverClock.ts"
import { TrackerError } from "./types.ts"
import { freeze, refuse, settleEntrance, settleExit, type Waiting } from "./visits.ts"

/** How often in a row the server's time is asked for until an entrance is sent with the device's. */
const MAX_TIME_REQUESTS = 4

/** How far ahead of the server's clock the time of a movement may be, in milliseconds. */
const TIME_TOLERANCE_MS = 1_000

/** What became of an attempt: the movement is settled, or its premises wait, or everything does. */
export type Outcome = "settled" | "premises wait" | "all wait"

export interface AttemptOptions {
  readonly journal: Journal
  readonly connection: Connection
  readonly clock: ServerClock
  readonly now: () => number
  /** Is called with the error of an attempt that failed, or undefined after one that did not. */
  readonly report: (error: unknown) => void
  /** Is called when the server refused a movement for good. */
  readonly refused: () => void
  /** Is called with the JSON of an answer when the server recorded a movement. */
  readonly settled: (waiting: Waiting, json: any) => void
}

interface AttemptContext extends AttemptOptions {
  /** Is called with the milliseconds that the server asks to wait. */
  readonly pause: (milliseconds: number) => void
}

const isTransient = (status: number) =>
  status === 401 || status === 408 || status === 429 || status >= 500 || status < 400

const parseTime = (text: unknown): number | undefined => {
  const time = typeof text === "string" ? Date.parse(text) : Number.NaN
  return Number.isNaN(time) ? undefined : time
}

/**
 * The time that a movement is sent with: its own by the server's clock, and of an exit not before its entrance. A future time
 * is of a position whose time was wrong, or of a clock that was set back since.
 */
const correct = ({ clock, now }: AttemptContext, { movement, at, visit }: Waiting): number =>
  Math.max(clock.correct(Math.min(at, now())), movement === "exit" ? (visit.began ?? -Infinity) : -Infinity)

/** Asks for the server's time where it is unknown. Fails where it stays unknown, for an entrance after some attempts. */
const learnTime = async ({ clock, connection }: AttemptContext, { movement, sent }: Waiting): Promise<void> => {
  for (let attempts = 1; !clock.isKnown(); attempts++) {
    const failure = await connection.askTime().then(
      () => new TrackerError("The server's time is unknown."),
      (error: unknown) => error
    )
    if (clock.isKnown()) return
    // The key of an entrance allows to send it with a better time later; an exit with another time is another exit.
    if (movement === "exit") throw failure
    if (attempts >= MAX_TIME_REQUESTS || sent !== undefined) return
  }
}

/** Decides the time that a movement is sent with. Returns `undefined` when it was decided now: it has to be stored first. */
const decideTime = async (context: AttemptContext, waiting: Waiting): Promise<number | undefined> => {
  const { clock, journal } = context
  const { sent, isDoubtful } = waiting
  if (sent === undefined || isDoubtful) await learnTime(context, waiting)
  if (sent !== undefined && !(isDoubtful && clock.isKnown())) return sent
  await journal.submit(({ state }) =>
    freeze(state, waiting, { sent: correct(context, waiting), isDoubtful: !clock.isKnown() })
  )
  return undefined
}

const request = ({ connection, journal }: AttemptContext, { movement, visit, sequence }: Waiting, sent: number) =>
  connection.call(ENDPOINTS.movement[visit.premises.placeId === undefined ? "trackOrganization" : "trackPlace"], {
    ...(movement === "entrance" && { idempotencyKey: `${journal.memory().state.installation}-${sequence}` }),
    body: {
      movementType: movement,
      ...visit.premises,
      timestamp: new Date(sent).toISOString(),
      ...(movement === "exit" && { exitToken: visit.token })
    }
  })

const succeed = async (
  { journal, report, settled }: AttemptContext,
  waiting: Waiting,
  { json, isHtml }: Answer,
  sent: number
): Promise<Outcome> => {
  const { exitToken, timestamp } = json ?? {}
  // A page in the place of an answer is of a network that asks its user to sign in.
  if (waiting.movement === "exit" ? isHtml : typeof exitToken !== "string") {
    report(unexpected())
    return "all wait"
  }
  const change: Change =
    waiting.movement === "exit"
      ? ({ state }) => settleExit(state, waiting)
      : ({ state }) => settleEntrance(state, waiting, exitToken, parseTime(timestamp) ?? sent)
  // What was forgotten meanwhile stays forgotten.
  let isKept = false
  await journal.submit((memory, nextSequence) => {
    isKept = change(memory, nextSequence)
    return isKept
  })
  if (isKept) settled(waiting, json)
  return "settled"
}

const settle = async (context: AttemptContext, waiting: Waiting, answer: Answer, sent: number): Promise<Outcome> => {
  const { journal, report, refused, pause } = context
  const { status, date, retryAfter } = answer
  if (status >= 200 && status < 300) return succeed(context, waiting, answer, sent)
  if (isTransient(status)) {
    report(new TrackerError(reasonOf(answer), status))
    if (retryAfter !== undefined) pause(retryAfter)
    return status === 401 || status === 429 ? "all wait" : "premises wait"
  }
  const corrected = correct(context, waiting)
  if (status === 400 && date !== undefined && sent > date + TIME_TOLERANCE_MS && corrected < sent) {
    // It was refused for a future time, so it was not recorded with that time, and can be sent with another.
    await journal.submit(({ state }) => freeze(state, waiting, { sent: corrected, isDoubtful: false }))
    return "settled"
  }
  await journal.submit(({ state }) => refuse(state, waiting, status, reasonOf(answer)))
  refused()
  return "settled"
}

/** Sends a movement, or first decides its time, with which it is sent by the next attempt. */
export const attempt = async (context: AttemptContext, waiting: Waiting): Promise<Outcome | "time decided"> => {
  const sent = await decideTime(context, waiting)
  if (sent === undefined) return "time decided"
  return settle(context, waiting, await request(context, waiting, sent), sent)
}
