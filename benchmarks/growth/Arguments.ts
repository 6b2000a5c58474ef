import { parseArgs } from "node:util"
import { type Effect, Option, Redacted } from "effect"
import { reading, type WrongArguments } from "../shared/Arguments.ts"
import { USUAL } from "./grow.ts"

export const USAGE = `usage: npm run growth -- [sizes] [--database-url URL]

  sizes               how many closed stays to measure with, such as 100000,1000000 (default ${USUAL.sizes.join(",")})
  --database-url URL  an empty database to grow in, which keeps everything; else each size has a PostgreSQL of its own`

/** What the command line asks for. */
export interface Arguments {
  /** Rising. */
  readonly sizes: ReadonlyArray<number>
  readonly databaseUrl: Option.Option<Redacted.Redacted>
}

const readSizes = (text: string): ReadonlyArray<number> => {
  if (!/^\d+(,\d+)*$/.test(text)) throw new Error(`${JSON.stringify(text)} is no list of sizes`)
  const sizes = text.split(",").map(Number)
  if (sizes.some((size, at) => size <= (sizes[at - 1] ?? 0)))
    throw new Error("each size must be larger than the one before")
  return sizes
}

/** Reads the command line. */
export const readArguments = (args: ReadonlyArray<string>): Effect.Effect<Arguments, WrongArguments> =>
  reading(USAGE, () => {
    const { values, positionals } = parseArgs({
      args: [...args],
      options: { "database-url": { type: "string" } },
      allowPositionals: true
    })
    if (positionals.length > 1) throw new Error("one list of sizes is enough")
    return {
      sizes: positionals[0] === undefined ? USUAL.sizes : readSizes(positionals[0]),
      databaseUrl: Option.map(Option.fromUndefinedOr(values["database-url"]), (url) => Redacted.make(url))
    }
  })
