/** The command line of `npm run growth`. */
import { parseArgs } from "node:util"
import type { Effect } from "effect"
import { reading, type WrongArguments } from "../shared/Arguments.ts"
import { USUAL } from "./grow.ts"

export const USAGE = `usage: npm run growth -- [sizes]

  sizes  how many closed stays to measure with, such as 100000,1000000 (default ${USUAL.sizes.join(",")})`

const readSizes = (text: string): ReadonlyArray<number> => {
  if (!/^\d+(,\d+)*$/.test(text)) throw new Error(`${JSON.stringify(text)} is no list of sizes`)
  const sizes = text.split(",").map(Number)
  if (sizes.some((size, at) => size <= (sizes[at - 1] ?? 0)))
    throw new Error("each size must be larger than the one before")
  return sizes
}

/** Reads the command line: rising sizes. */
export const readArguments = (args: ReadonlyArray<string>): Effect.Effect<ReadonlyArray<number>, WrongArguments> =>
  reading(USAGE, () => {
    const { positionals } = parseArgs({ args: [...args], allowPositionals: true })
    if (positionals.length > 1) throw new Error("one list of sizes is enough")
    return positionals[0] === undefined ? USUAL.sizes : readSizes(positionals[0])
  })
