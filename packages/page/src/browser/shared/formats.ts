/** How a language writes numbers and times. */
import type { Language } from "../words/languages.ts"

export interface Formats {
  readonly number: (n: number) => string
  readonly time: (of: Date | string | number) => string
  readonly day: (of: Date | string | number) => string
  readonly dayAndTime: (of: Date | string | number) => string
  readonly moment: (of: Date | string | number) => string
  /** The same in a time zone. */
  readonly momentIn: (zone: string) => (of: Date | string | number) => string
  /** The time of the day in a time zone. */
  readonly timeIn: (zone: string) => (of: Date | string | number) => string
  /** The hour alone, as the region writes it. */
  readonly hour: (of: Date | string | number) => string
  readonly weekday: (of: Date | string | number) => string
  /** The day with which the region's week begins, 0 for Sunday. */
  readonly firstWeekday: number
}

/**
 * The form of a language that the browser is set to: dates of British English are not those of American English. A language that
 * the browser does not name is written as in the browser's region: English in Italy has 24 hours.
 */
export const localeOf = (language: Language, wanted: ReadonlyArray<string>): string => {
  const named = wanted.find((tag) => tag.split("-")[0] === language)
  if (named !== undefined) return named
  const region = wanted.map((tag) => new Intl.Locale(tag).region).find((region) => region !== undefined)
  return region === undefined ? language : `${language}-${region}`
}

/** What browsers know of a locale beside its name, some by a method and some by a property. */
interface WithWeek {
  readonly getWeekInfo?: () => { readonly firstDay: number }
  readonly weekInfo?: { readonly firstDay: number }
}

const MONDAY = 1

const firstWeekdayOf = (locale: string): number => {
  const known = new Intl.Locale(locale) as Intl.Locale & WithWeek
  return ((known.getWeekInfo?.() ?? known.weekInfo)?.firstDay ?? MONDAY) % 7
}

export const formatsOf = (language: Language): Formats => {
  const locale = localeOf(language, navigator.languages)
  const numbers = new Intl.NumberFormat(locale, { maximumFractionDigits: 1 })
  const times = new Intl.DateTimeFormat(locale, { timeStyle: "short" })
  const days = new Intl.DateTimeFormat(locale, { day: "numeric", month: "short" })
  const daysAndTimes = new Intl.DateTimeFormat(locale, {
    day: "numeric",
    month: "short",
    hour: "2-digit",
    minute: "2-digit"
  })
  const hours = new Intl.DateTimeFormat(locale, { hour: "numeric" })
  const weekdays = new Intl.DateTimeFormat(locale, { weekday: "short" })
  const momentIn = (timeZone?: string) => {
    const moments = new Intl.DateTimeFormat(locale, { dateStyle: "medium", timeStyle: "medium", timeZone })
    return (of: Date | string | number) => moments.format(new Date(of))
  }
  return {
    number: (n) => numbers.format(n),
    time: (of) => times.format(new Date(of)),
    day: (of) => days.format(new Date(of)),
    dayAndTime: (of) => daysAndTimes.format(new Date(of)),
    hour: (of) => hours.format(new Date(of)),
    weekday: (of) => weekdays.format(new Date(of)),
    firstWeekday: firstWeekdayOf(locale),
    timeIn: (timeZone) => {
      const zoned = new Intl.DateTimeFormat(locale, { timeStyle: "short", timeZone })
      return (of) => zoned.format(new Date(of))
    },
    moment: momentIn(),
    momentIn
  }
}
