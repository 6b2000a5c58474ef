/** How a language writes numbers and times. */
import type { Language } from "../words/languages.ts"

export interface Formats {
  /** The time zone of all times but those of {@link momentIn}. */
  readonly zone: string
  /** The same of another time zone. */
  readonly of: (zone: string) => Formats
  readonly number: (n: number) => string
  readonly time: (of: Date | string | number) => string
  readonly day: (of: Date | string | number) => string
  readonly dayAndTime: (of: Date | string | number) => string
  readonly moment: (of: Date | string | number) => string
  /** The same in a time zone. */
  readonly momentIn: (zone: string) => (of: Date | string | number) => string
  /** The hour alone, as the region writes it. */
  readonly hour: (of: Date | string | number) => string
  readonly weekday: (of: Date | string | number) => string
  readonly longWeekday: (of: Date | string | number) => string
  /** A day with its weekday and the time. */
  readonly weekdayAndTime: (of: Date | string | number) => string
  /** A length of time, in seconds: hours and minutes, or seconds where it is less than a minute. */
  readonly duration: (seconds: number) => string
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

/** The formats of a language, with the times of a time zone; without one with those of the browser's. */
export const formatsOf = (language: Language, timeZone?: string): Formats => {
  const locale = localeOf(language, navigator.languages)
  const numbers = new Intl.NumberFormat(locale, { maximumFractionDigits: 1 })
  const dates = (options: Intl.DateTimeFormatOptions) => {
    const format = new Intl.DateTimeFormat(locale, { timeZone, ...options })
    return (date: Date | string | number) => format.format(new Date(date))
  }
  const clock = { hour: "2-digit", minute: "2-digit" } as const
  const momentIn = (timeZone?: string) => dates({ dateStyle: "medium", timeStyle: "medium", timeZone })
  const inUnit = (n: number, unit: string) =>
    new Intl.NumberFormat(locale, { style: "unit", unit, maximumFractionDigits: 0 }).format(n)
  return {
    zone: new Intl.DateTimeFormat(locale, { timeZone }).resolvedOptions().timeZone,
    of: (zone) => formatsOf(language, zone),
    number: (n) => numbers.format(n),
    time: dates({ timeStyle: "short" }),
    day: dates({ day: "numeric", month: "short" }),
    dayAndTime: dates({ day: "numeric", month: "short", ...clock }),
    hour: dates({ hour: "numeric" }),
    weekday: dates({ weekday: "short" }),
    longWeekday: dates({ weekday: "long" }),
    weekdayAndTime: dates({ weekday: "short", day: "numeric", month: "short", ...clock }),
    duration: (seconds) => {
      const minutes = Math.round(seconds / 60)
      if (minutes === 0) return inUnit(seconds, "second")
      const hours = Math.floor(minutes / 60)
      const rest = inUnit(minutes % 60, "minute")
      return hours === 0 ? rest : `${inUnit(hours, "hour")} ${rest}`
    },
    firstWeekday: firstWeekdayOf(locale),
    moment: momentIn(timeZone),
    momentIn
  }
}
