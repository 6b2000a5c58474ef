/** Dates and delays in HTTP headers, as every JavaScript engine of phones reads them alike. */

const DATE = /(\d\d) (\w{3}) (\d{4}) (\d\d):(\d\d):(\d\d) GMT$/
const MONTHS = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"]

/** Reads a date as HTTP writes it, in milliseconds since 1970. Engines differ in what their own `Date.parse` reads. */
export const parseHttpDate = (text: string | null): number | undefined => {
  const [, day, month = "", year, hour, minute, second] = DATE.exec(text ?? "") ?? []
  const index = MONTHS.indexOf(month)
  return index < 0
    ? undefined
    : Date.UTC(Number(year), index, Number(day), Number(hour), Number(minute), Number(second))
}

/** The milliseconds that a `Retry-After` asks to wait: seconds, or a date, compared with the server's time. */
export const parseRetryAfter = (text: string | null, date: number): number | undefined => {
  if (text === null) return undefined
  if (/^\s*\d+\s*$/.test(text)) return Number(text) * 1000
  const until = parseHttpDate(text)
  return until === undefined ? undefined : Math.max(0, until - date)
}
