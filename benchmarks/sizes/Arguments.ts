import { parseArgs } from "node:util"
import { Data, Effect } from "effect"
import type { Aspect } from "./Aspect.ts"
import { organizations } from "./organizations.ts"
import { people } from "./people.ts"
import { places } from "./places.ts"

/** Everything that can grow here. */
export const ASPECTS: ReadonlyArray<Aspect> = [people, organizations, places]

export const USAGE = `usage: npm run sizes -- [aspect[=sizes] ...]

  aspect  what grows: ${ASPECTS.map(({ name }) => name).join(", ")} (default: one after the other)
  sizes   how many of it to measure with, such as people=1000,100000 (default: ${ASPECTS.map(
    ({ name, usual }) => `${name}=${usual.join(",")}`
  ).join(" ")})`

/** The command was not called as its usage says. */
export class WrongArguments extends Data.TaggedError("WrongArguments")<{ readonly reason: string }> {
  override get message(): string {
    return `${this.reason}\n${USAGE}`
  }
}

/** An aspect, and the sizes to measure it at: rising. */
export interface Asked {
  readonly aspect: Aspect
  readonly sizes: ReadonlyArray<number>
}

const readAsked = (text: string): Asked => {
  const [name, list] = text.split("=", 2)
  const aspect = ASPECTS.find((one) => one.name === name)
  if (aspect === undefined) throw new Error(`nothing here is called ${JSON.stringify(name)}`)
  if (list === undefined) return { aspect, sizes: aspect.usual }
  if (!/^\d+(,\d+)*$/.test(list)) throw new Error(`${JSON.stringify(list)} is no list of sizes`)
  const sizes = list.split(",").map(Number)
  if (sizes.some((size, at) => size <= (sizes[at - 1] ?? 1)))
    throw new Error("each size must be larger than the one before, and the first than 1")
  return { aspect, sizes }
}

/** Reads the command line. */
export const readArguments = (args: ReadonlyArray<string>): Effect.Effect<ReadonlyArray<Asked>, WrongArguments> =>
  Effect.try({
    try: () => {
      const { positionals } = parseArgs({ args: [...args], options: {}, allowPositionals: true })
      const asked = positionals.map(readAsked)
      return asked.length > 0 ? asked : ASPECTS.map((aspect) => ({ aspect, sizes: aspect.usual }))
    },
    catch: (cause) => new WrongArguments({ reason: cause instanceof Error ? cause.message : String(cause) })
  })
