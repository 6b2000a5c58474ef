/** The server's clock, by the `Date` of its answers: that of the browser may be wrong. */

/** `Date` has whole seconds. */
const DATE_PRECISION_MS = 1_000

/** How far the clock of an answer may be ahead of the browser's, nearest to how far it was thought to be before, in milliseconds. */
export const offsetAfter = (before: number, date: number, sentAt: number, receivedAt: number): number =>
  Math.min(Math.max(before, date - receivedAt), date + DATE_PRECISION_MS - sentAt)

let offset = 0

/** Learns the server's time from an answer to a request that was sent at `sentAt`, by the browser's clock. */
export const learnTime = (answer: Response, sentAt: number): void => {
  const date = Date.parse(answer.headers.get("date") ?? "")
  if (!Number.isNaN(date)) offset = offsetAfter(offset, date, sentAt, Date.now())
}

/** The server's time, in milliseconds since 1970. */
export const serverNow = (): number => Date.now() + offset
