import { OwnIssuer } from "@sojourn/adapter-jwt"
import * as Effect from "effect/Effect"
import * as Redacted from "effect/Redacted"
import * as fs from "node:fs/promises"
import * as path from "node:path"
import { CommandFailed } from "./CommandFailed.ts"

const FILE = "issuer-key.json"

const io = <A>(what: string, run: () => Promise<A>) =>
  Effect.tryPromise({
    try: run,
    catch: (error) =>
      new CommandFailed({ message: `${what}: ${error instanceof Error ? error.message : String(error)}` })
  })

const codeOf = (error: unknown): unknown => (error as { readonly code?: unknown }).code

const readIfThere = (file: string) =>
  io(`the issuer's key in ${file} cannot be read`, () =>
    fs.readFile(file, "utf8").catch((error: unknown) => {
      if (codeOf(error) === "ENOENT") return undefined
      throw error
    })
  )

/**
 * Writes the key where no key is yet. Of two processes that do so at once one comes first, and both go on with its key: the
 * file is written aside and linked to its name, which fails when the name is taken.
 */
const writeOnce = (file: string, text: string) =>
  io(`the issuer's key cannot be kept in ${file}`, async () => {
    await fs.mkdir(path.dirname(file), { recursive: true, mode: 0o700 })
    const aside = `${file}.${process.pid}.${Math.random().toString(36).slice(2)}`
    await fs.writeFile(aside, text, { mode: 0o600, flag: "wx" })
    try {
      await fs.link(aside, file)
    } catch (error) {
      if (codeOf(error) !== "EEXIST") throw error
    } finally {
      await fs.unlink(aside)
    }
  })

const parse = (file: string, text: string) =>
  Effect.flatMap(
    Effect.try({
      try: (): unknown => JSON.parse(text),
      catch: () => new CommandFailed({ message: `${file} is not JSON` })
    }),
    (stored) =>
      Effect.mapError(
        OwnIssuer.decode(stored),
        ({ message }) => new CommandFailed({ message: `${file} holds no key of the own issuer: ${message}` })
      )
  )

/** The key of the own issuer in a data directory, readable by its owner alone; it is made when there is none. */
export const issuerKey = Effect.fnUntraced(function* (data: string) {
  const file = path.join(data, FILE)
  const stored = yield* readIfThere(file)
  if (stored !== undefined) return yield* parse(file, stored)
  const made = yield* OwnIssuer.generate
  yield* writeOnce(file, `${JSON.stringify(Redacted.value(made))}\n`)
  return yield* parse(file, (yield* readIfThere(file)) ?? "")
})
