/** Secrets in files that their owner alone can read, made once even by processes that start at the same moment. */
import { makeDirectory } from "@sojourn/embedded-postgres"
import { Effect, Option } from "effect"
import * as fs from "node:fs/promises"
import * as path from "node:path"
import { io } from "../shared/io.ts"

const codeOf = (error: unknown): unknown => (error as { readonly code?: unknown }).code

const readIfThere = (file: string, what: string) =>
  io(`${what} in ${file} cannot be read`, () =>
    fs.readFile(file, "utf8").catch((error: unknown) => {
      if (codeOf(error) === "ENOENT") return undefined
      throw error
    })
  )

/**
 * Writes the secret unless the file exists. Two processes that do so at once end up with the same secret: the file is written under
 * a temporary name and linked to its own, which fails when that exists.
 */
const writeOnce = (file: string, what: string, text: string) =>
  io(`${what} cannot be kept in ${file}`, async () => {
    makeDirectory(path.dirname(file), 0o700)
    const aside = `${file}.${process.pid}.${Math.random().toString(36).slice(2)}`
    await fs.writeFile(aside, text, { mode: 0o600, flag: "wx", flush: true })
    try {
      await fs.link(aside, file)
    } catch (error) {
      if (codeOf(error) !== "EEXIST") throw error
    } finally {
      await fs.unlink(aside)
    }
  })

/** The secret in a file, where there is one. `what` names it in messages. */
export const storedSecret = (file: string, what: string) => Effect.map(readIfThere(file, what), Option.fromUndefinedOr)

/** A secret in a file that its owner alone can read, made when there is none. `what` names it in messages. */
export const secretFile = Effect.fnUntraced(function* (file: string, what: string, make: Effect.Effect<string>) {
  const stored = yield* readIfThere(file, what)
  if (stored !== undefined) return stored
  yield* writeOnce(file, what, yield* make)
  return (yield* readIfThere(file, what)) ?? ""
})
