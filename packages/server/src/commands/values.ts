/** Reads the texts of flags. */
import { Duration, Effect, Option } from "effect"
import { StartupError } from "@sojourn/service"

/** The parsed value of a flag, or a failure that says what the flag holds. */
export const valueOf = <A>(name: string, value: string, expected: string, found: Option.Option<A>) =>
  Effect.mapError(Effect.fromOption(found), () => new StartupError({ message: `--${name} is ${expected}: ${value}` }))

/** A whole number within bounds: at most nine digits, unless `most` says less. */
export const parseWhole = (
  text: string,
  { least, most = 999_999_999 }: { readonly least: number; readonly most?: number }
): Option.Option<number> =>
  /^\d{1,9}$/.test(text) && Number(text) >= least && Number(text) <= most ? Option.some(Number(text)) : Option.none()

/** Reads the number of a flag: a whole number above zero. */
export const countOf = (name: string, value: string) =>
  valueOf(name, value, "a whole number above zero", parseWhole(value, { least: 1 }))

/** Reads the address of an HTTP server. */
export const addressOf = (name: string, value: string) =>
  valueOf(
    name,
    value,
    "an address as http://127.0.0.1:8080",
    Option.liftPredicate(value, (text) => URL.canParse(text) && /^https?:$/.test(new URL(text).protocol))
  )

/** In milliseconds, the largest first. */
const UNITS = { d: 86_400_000, h: 3_600_000, m: 60_000, s: 1000, ms: 1 } as const

/** A length of time as people write it, a number and its unit: `90d`, `12h`, `30m`, `45s` or `250ms`. */
export const parseDuration = (text: string): Option.Option<Duration.Duration> => {
  const [, number, unit] = /^(\d{1,9})(ms|s|m|h|d)$/.exec(text) ?? []
  return unit === undefined
    ? Option.none()
    : Option.some(Duration.millis(Number(number) * UNITS[unit as keyof typeof UNITS]))
}

/** The same in seconds, of which it is a whole number above zero. */
export const parseSeconds = (text: string): Option.Option<number> =>
  Option.filter(Option.map(parseDuration(text), Duration.toSeconds), (seconds) => seconds > 0 && seconds % 1 === 0)

/** Seconds in the largest unit that they are a whole number of: what {@link parseDuration} reads. */
export const formatSeconds = (seconds: number): string => {
  if (seconds === 0) return "0s"
  const [unit, length] = Object.entries(UNITS).find(([, length]) => (seconds * 1000) % length === 0) ?? ["s", UNITS.s]
  return `${(seconds * 1000) / length}${unit}`
}

/** Reads the length of time of a flag, which may be 0. */
export const durationOf = (name: string, value: string) =>
  valueOf(name, value, "a number and ms, s, m, h or d, as in 5s", parseDuration(value))

/** Reads the length of time of a flag in whole seconds above zero. */
export const secondsOf = (name: string, value: string, example: string) =>
  Effect.map(
    valueOf(name, value, `a number and s, m, h or d, above zero, as in ${example}`, parseSeconds(value)),
    Duration.seconds
  )
