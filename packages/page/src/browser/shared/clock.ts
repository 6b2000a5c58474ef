/** The server's clock, as its answers tell it: that of the browser may be wrong. */

/** How far the browser's clock may be from the server's until the server's is taken, in milliseconds: answers tell whole seconds. */
const MIN_OFFSET_MS = 2_000

/** How far the server's clock is ahead of the browser's, in milliseconds. */
let offset = 0

/** Takes the time of an answer over. */
export const noteTime = (response: Response): void => {
  const ahead = Date.parse(response.headers.get("date") ?? "") - Date.now()
  if (!Number.isNaN(ahead)) offset = Math.abs(ahead) < MIN_OFFSET_MS ? 0 : ahead
}

/** A time of the browser's clock by the server's, in milliseconds since 1970. */
export const serverTimeOf = (browserTime: number): number => browserTime + offset

export const serverNow = (): number => serverTimeOf(Date.now())
