/** The server's time, by the `Date` of its answers: the browser's clock may be an hour or a day off. */

/** How far the browser's clock may be from a `Date`, which is in whole seconds and has travelled, in milliseconds. */
const TOLERANCE_MS = 2_000

let offset = 0

/** Takes the server's time over from an answer. */
export const noteServerTime = (date: string | null): void => {
  const difference = Date.parse(date ?? "") - Date.now()
  if (Math.abs(difference - offset) > TOLERANCE_MS) offset = difference
}

/** The server's time now, in milliseconds since 1970. */
export const serverNow = (): number => Date.now() + offset
