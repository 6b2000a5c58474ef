/**
 * Chromium, for the tests of the documentation: the one of the machine (or Chrome), or Debian's, unpacked below `.cache`.
 *
 * `node scripts/workspace/chromium.mjs` says what there is.
 */
import { existsSync } from "node:fs"
import { delimiter, join } from "node:path"
import { fileURLToPath } from "node:url"
import { librariesOf, unpackDebian, unpackedAt } from "./debian.mjs"
import { exclusively } from "./lock.mjs"

const unpacked = unpackedAt("chromium")

const NAMES = ["chromium", "chromium-browser", "google-chrome-stable", "google-chrome"]

/** In the order in which they are taken. */
const candidates = () => [
  ...(process.env.PATH ?? "").split(delimiter).flatMap((folder) => NAMES.map((name) => join(folder, name))),
  "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
  "/Applications/Chromium.app/Contents/MacOS/Chromium",
  join(unpacked, "usr", "lib", "chromium", "chromium")
]

/** The browser, or undefined: its `program` and the `env` that it needs. */
export const findChromium = () => {
  const program = [process.env.SOJOURN_CHROMIUM ?? candidates()].flat().find((path) => existsSync(path))
  if (program === undefined) return undefined
  return { program, env: program.startsWith(unpacked) ? librariesOf(unpacked) : {} }
}

const advice =
  "Install Chromium (Debian: apt-get install chromium) or Chrome, or name it in SOJOURN_CHROMIUM.\n" +
  "Without it the tests of the site in a browser are skipped; with SOJOURN_REQUIRE_CHROMIUM=1 they fail."

/** Makes sure that there is a browser, where that is possible, and says in one line what there is. */
export const chromium = async () => {
  const unpack = async () => findChromium() ?? unpackDebian("chromium")
  const reason = findChromium() === undefined ? await exclusively("chromium", unpack) : undefined
  const found = findChromium()
  if (found === undefined) console.log(`chromium: none (${reason}).\n${advice}`)
  else console.log(`chromium: ${found.program}`)
  return found
}

if (process.argv[1] === fileURLToPath(import.meta.url)) await chromium()
