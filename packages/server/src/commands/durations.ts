import * as Option from "effect/Option"

const UNITS = [
  ["d", 86_400],
  ["h", 3600],
  ["m", 60],
  ["s", 1]
] as const

/** The seconds of a number and its unit, as in `90d`, `12h`, `30m` or `45s`. */
export const parseSeconds = (text: string): Option.Option<number> => {
  const match = /^([1-9]\d{0,8})([smhd])$/.exec(text)
  const unit = UNITS.find(([name]) => name === match?.[2])
  return match === null || unit === undefined ? Option.none() : Option.some(Number(match[1]) * unit[1])
}

/** Seconds in the largest unit that they are a whole number of: what {@link parseSeconds} reads. */
export const formatSeconds = (seconds: number): string => {
  const [name, length] = UNITS.find(([, length]) => seconds % length === 0) ?? ["s", 1]
  return `${seconds / length}${name}`
}
