/** How lines of the log are written: as JSON or logfmt for programs, or for people who watch. */
export const LOG_FORMATS = ["auto", "json", "logfmt", "pretty"] as const

export type LogFormat = (typeof LOG_FORMATS)[number]

/** The parts of a line. */
export interface Entry {
  /** ISO 8601, in UTC. */
  readonly time: string
  readonly level: string
  readonly message: string
  /** What belongs to it, such as the id of the request. */
  readonly fields: Readonly<Record<string, unknown>>
  /** Why, over several lines often. */
  readonly cause?: string | undefined
}

/** One object in each line. What is undefined is left out. */
const json = ({ time, level, message, fields, cause }: Entry): string =>
  JSON.stringify({ time, level, message, ...fields, cause })

const PLAIN = /^[^\s"=\\]+$/

const quoted = (value: unknown): string => {
  const text = typeof value === "string" ? value : String(JSON.stringify(value))
  return PLAIN.test(text) ? text : JSON.stringify(text)
}

const pairs = (fields: Readonly<Record<string, unknown>>): string =>
  Object.entries(fields)
    .filter(([, value]) => value !== undefined)
    .map(([name, value]) => ` ${name}=${quoted(value)}`)
    .join("")

const logfmt = ({ time, level, message, fields, cause }: Entry): string =>
  pairs({ time, level, message, ...fields, cause }).slice(1)

const COLORS: Readonly<Record<string, number>> = { fatal: 31, error: 31, warn: 33, info: 32, debug: 36, trace: 90 }

/** The time of the day, and causes as they are laid out. */
const pretty = ({ time, level, message, fields, cause }: Entry): string => {
  const marked = `\u001B[${COLORS[level] ?? 0}m${level.toUpperCase().padEnd(5)}\u001B[0m`
  return `${time.slice(11, -1)} ${marked} ${message}${pairs(fields)}${cause === undefined ? "" : `\n${cause}`}`
}

/** Whether `formatter` chooses JSON. */
export const isJson = (format: LogFormat, isTerminal: boolean): boolean => formatter(format, isTerminal) === json

/** The formatter of a format. `auto` is `pretty` on a terminal, and JSON elsewhere. */
export const formatter = (format: LogFormat, isTerminal: boolean): ((entry: Entry) => string) => {
  switch (format) {
    case "auto":
      return isTerminal ? pretty : json
    case "json":
      return json
    case "logfmt":
      return logfmt
    case "pretty":
      return pretty
  }
}
