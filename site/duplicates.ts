/** Code that stands there twice, found by jscpd. */
import { stripVTControlCharacters } from "node:util"
import { at } from "./pages/repository.ts"
import { run } from "./blocks/processes.ts"

/** Fewer words than this say the same thing by chance. */
const TOKENS = 100

/** What may repeat itself, and why. */
const EXCEPT: Readonly<Record<string, string>> = {
  "**/node_modules/**": "is not ours",
  "**/dist/**": "is made of the sources",
  "**/.cache/**": "is made of the sources",
  "**/migrations/**": "a released migration never changes, whatever is made of it later",
  "packages/server/test/identity/certificate.ts":
    "tests of packages import no other package's tests, and two certificates do not need a package of their own"
}

const FOLDERS = ["packages", "examples", "benchmarks", "scripts", "site"]

/** The places that say the same, a text each; nothing when there are none. */
export const duplicates = async (folders = FOLDERS.map(at)): Promise<ReadonlyArray<string>> => {
  const options = ["--min-tokens", String(TOKENS), "--format", "typescript,javascript", "--reporters", "console"]
  const args = [
    ...folders,
    "--ignore",
    Object.keys(EXCEPT).join(","),
    ...options,
    "--fail-on-empty",
    "--exit-code",
    "3"
  ]
  const program = at("site/node_modules/jscpd/run-jscpd.js")
  const { code, output } = await run(process.execPath, [program, ...args], { cwd: at(".") })
  if (code !== 0 && code !== 3) throw new Error(`jscpd ended with ${code}:\n${output}`)
  // Between the reports stand the marks of colours, with which a terminal would show them.
  const plain = stripVTControlCharacters(output)
  return plain.match(/^Clone found[^]*?(?=^Clone found|^[^ ])/gm)?.map((one) => one.trim()) ?? []
}
