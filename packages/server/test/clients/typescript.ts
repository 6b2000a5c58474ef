/** Programs with a typed client that is generated from an OpenAPI document, checked by the compiler and run by Node. */
import { execFile } from "node:child_process"
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { createRequire } from "node:module"
import { dirname, join } from "node:path"
import { fileURLToPath } from "node:url"
import { promisify } from "node:util"
import openapiTS, { astToString, type OpenAPI3 } from "openapi-typescript"

/** Runs Node while the server, which is in this process, goes on. Returns what it prints. */
const node = async (args: ReadonlyArray<string>, env: Record<string, string> = {}): Promise<string> =>
  (await promisify(execFile)(process.execPath, args, { env: { ...process.env, ...env }, timeout: 60_000 })).stdout

const folder = fileURLToPath(new URL("../../.cache/", import.meta.url))
const root = fileURLToPath(new URL("../../../../", import.meta.url))
const tsc = join(dirname(createRequire(join(root, "package.json")).resolve("typescript/package.json")), "bin/tsc")

/**
 * Runs a program beside `schema.ts`, which `openapi-typescript` makes of the document. Returns the JSON that the program prints. A
 * fault of its types throws with the compiler's words.
 */
export const runTyped = async (document: object, program: string, env: Record<string, string>): Promise<any> => {
  mkdirSync(folder, { recursive: true })
  const work = mkdtempSync(join(folder, "typed-"))
  try {
    writeFileSync(join(work, "schema.ts"), astToString(await openapiTS(document as OpenAPI3)))
    writeFileSync(join(work, "program.ts"), program)
    const options = [
      "--ignoreConfig",
      "--noEmit",
      "--strict",
      "--skipLibCheck",
      "--target",
      "es2024",
      "--module",
      "nodenext"
    ]
    const files = ["--allowImportingTsExtensions", "--types", "node", join(work, "program.ts")]
    await node([tsc, ...options, ...files]).catch((error: { readonly stdout?: string }) => {
      throw new Error(String(error.stdout), { cause: error })
    })
    return JSON.parse(await node([join(work, "program.ts")], env))
  } finally {
    rmSync(work, { recursive: true, force: true })
  }
}
