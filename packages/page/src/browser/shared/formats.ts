/** How a language writes numbers and times. */
import type { Language } from "../words/languages.ts"

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

const make = (language: Language, timeZone?: string) => {
  const locale = localeOf(language, navigator.languages)
  const numbers = new Intl.NumberFormat(locale, { maximumFractionDigits: 1 })
  const dates = (options: Intl.DateTimeFormatOptions) => {
    const format = new Intl.DateTimeFormat(locale, { timeZone, ...options })
    return (date: Date | string | number) => format.format(new Date(date))
  }
  const clock = { hour: "2-digit", minute: "2-digit" } as const
  const date = { day: "numeric", month: "short" } as const
  /** Moments in a time zone. */
  const momentIn = (timeZone?: string) => dates({ dateStyle: "medium", timeStyle: "medium", timeZone })
  const inUnit = (n: number, unit: string) =>
    new Intl.NumberFormat(locale, { style: "unit", unit, maximumFractionDigits: 0 }).format(n)
  return {
    /** The time zone of all times but those of `momentIn`. */
    zone: new Intl.DateTimeFormat(locale, { timeZone }).resolvedOptions().timeZone,
    number: (n: number) => numbers.format(n),
    time: dates({ timeStyle: "short" }),
    day: dates(date),
    dayAndTime: dates({ ...date, ...clock }),
    /** The hour alone, as the region writes it. */
    hour: dates({ hour: "numeric" }),
    weekday: dates({ weekday: "short" }),
    longWeekday: dates({ weekday: "long" }),
    weekdayAndTime: dates({ weekday: "short", ...date, ...clock }),
    /** A length of time, in seconds: hours and minutes, or seconds where it is less than a minute. */
    duration: (seconds: number) => {
      const minutes = Math.round(seconds / 60)
      if (minutes === 0) return inUnit(seconds, "second")
      const hours = Math.floor(minutes / 60)
      const rest = inUnit(minutes % 60, "minute")
      return hours === 0 ? rest : `${inUnit(hours, "hour")} ${rest}`
    },
    /** The day with which the region's week begins, 0 for Sunday. */
    firstWeekday: firstWeekdayOf(locale),
    moment: momentIn(timeZone),
    momentIn
  }
}

export interface Formats extends ReturnType<typeof make> {
  /** The same of another time zone. */
  readonly of: (zone: string) => Formats
}

/** The formats of a language, with the times of a time zone; without one with those of the browser's. */
export const formatsOf = (language: Language, timeZone?: string): Formats => ({
  ...make(language, timeZone),
  of: (zone) => formatsOf(language, zone)
})
