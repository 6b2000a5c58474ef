/**
 * Commands: bash itself reads every block, with programs in its path that write down how they were called and do nothing.
 * What was called must be there, with the flags and files that it was called with: `sojourn` is asked itself.
 */
import { chmodSync, mkdirSync, readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { at, isFile, isFolder, read } from "../pages/repository.ts"
import { program } from "../sojourn.ts"
import { type Block, type Fault, fault } from "./Block.ts"
import { eachOf, inSandbox, run } from "./processes.ts"

/** Programs of other people: that a block calls one of them is enough. */
const FOREIGN = (
  "cat chmod cp curl date docker git head jq kill ls mkdir mv openssl createdb dropdb pg_dump pg_restore psql rm sed " +
  "sleep systemctl tar tee tr"
).split(" ")

/** Programs that the workspace has in `node_modules/.bin`. */
const TOOLS = ["changeset", "depcruise", "oxfmt", "oxlint", "tsc", "vitest"]

const KNOWN = [...FOREIGN, ...TOOLS, "node", "npm", "npx", "sojourn"]

const RECORDER = `#!/bin/sh
{ printf '%s\\037' "\${0##*/}" "$@"; printf '\\036'; } >> "$RECORD"
echo recorded
`

/** How every program of a block was called, and what bash said when it could not go on. */
const callsOf = (block: Block) =>
  inSandbox(async (folder) => {
    const programs = join(folder, "programs")
    const record = join(folder, "record")
    mkdirSync(programs)
    writeFileSync(record, "")
    for (const name of KNOWN) {
      writeFileSync(join(programs, name), RECORDER)
      chmodSync(join(programs, name), 0o755)
    }
    // Paths to a program are names of it; folders are as good as any.
    const text = block.text
      .replaceAll(/(^|\s)(?:node_modules\/\.bin|\.\/node_modules\/\.bin)\/(\w+)/gm, "$1$2")
      .replaceAll(/^(\s*)export PATH=.*$/gm, "$1:")
    writeFileSync(join(folder, "block.sh"), `cd() { :; }\n${block.marks.preamble}\n${text}\n`)
    const env = { PATH: programs, RECORD: record, HOME: folder }
    const { output } = await run("/bin/bash", [...(block.marks.run ? [] : ["-u"]), "block.sh"], {
      cwd: folder,
      env,
      patience: 20_000
    })
    const calls = readFileSync(record, "utf8")
      .split("\u001e")
      .slice(0, -1)
      .map((call) => call.split("\u001f").slice(0, -1))
    return { calls, complaint: /^block\.sh: /m.test(output) ? output : "" }
  })

const scripts: Readonly<Record<string, string>> = JSON.parse(read("package.json")).scripts

const verdicts = new Map<string, Promise<string | undefined>>()

/** Asks once for the same words: they stand in many places. */
const sojourn = (words: ReadonlyArray<string>): Promise<string | undefined> => {
  const key = words.join("\u001f")
  const answer = verdicts.get(key) ?? ask(words)
  verdicts.set(key, answer)
  return answer
}

/** Whether the command line takes these words: it looks at `--log-level` last of all, and stops there. */
const ask = async (words: ReadonlyArray<string>): Promise<string | undefined> => {
  if (words.some((word) => ["--help", "--version", "--completions", "--wizard"].includes(word))) return undefined
  const { code, output } = await run(process.execPath, [...program, ...words, "--log-level", "none-of-these"], {
    cwd: at("."),
    patience: 30_000
  })
  return code !== 0 && /Invalid value for flag --log-level/.test(output)
    ? undefined
    : (/ERROR\s+(.*)/.exec(output)?.[1] ?? output)
}

/** Words that look like files of the repository must be some. */
const missingFile = (words: ReadonlyArray<string>): string | undefined =>
  words
    .filter((word) => /^(packages|docs|examples|benchmarks|scripts|site)\//.test(word))
    .filter((word) => !isFile(word) && !isFolder(word.replace(/\/$/, "")) && !/\/dist\//.test(word))
    .map((word) => `there is no ${word}`)
    .find((_, index) => index === 0)

const npm = (words: ReadonlyArray<string>): Promise<string | undefined> | string | undefined => {
  const [verb, ...rest] = words.filter((word) => word !== "--silent" && word !== "-s")
  const name = verb === "run" ? rest[0]! : verb!
  if (verb === "install" || verb === "ci") return undefined
  if (!(name in scripts)) return `package.json has no script ${name}`
  const own = words.includes("--") ? words.slice(words.indexOf("--") + 1) : []
  if (name === "sojourn") return sojourn(own)
  if (name === "start") return sojourn(["serve", "--demo", ...own])
  return undefined
}

/** Files that a page asks its reader to write: "save this as `examples/first.ts`". */
const toBeSaved = (source: string): ReadonlyArray<string> =>
  isFile(source) ? [...read(source).matchAll(/\bsave (?:this|it) as `([^`]+)`/gi)].map(([, path]) => path!) : []

const wrong = async (
  [name, ...words]: ReadonlyArray<string>,
  saved: ReadonlyArray<string>
): Promise<string | undefined> => {
  if (name === "sojourn") return sojourn(words)
  if (name === "npm") return npm(words)
  if (name === "npx")
    return words.some((word) => TOOLS.includes(word) || word === "sojourn") ? undefined : "unknown tool"
  if (name === "node" && words[0]?.endsWith("dist/sojourn.js")) return sojourn(words.slice(1))
  if (name === "node" || TOOLS.includes(name!)) return missingFile(words.filter((word) => !saved.includes(word)))
  return undefined
}

const checkBlock = async (block: Block): Promise<ReadonlyArray<Fault>> => {
  const { calls, complaint } = await callsOf(block)
  if (complaint !== "") return [fault(block, complaint.trim())]
  if (calls.length === 0 && !/^\s*export /m.test(block.text)) return [fault(block, "it calls nothing")]
  const saved = toBeSaved(block.source)
  const faults = await eachOf(calls, async (call) => {
    const found = await wrong(call, saved)
    return found === undefined ? [] : [fault(block, `${call.join(" ")}: ${found}`)]
  })
  return faults.flat()
}

export const checkShell = async (blocks: ReadonlyArray<Block>): Promise<ReadonlyArray<Fault>> =>
  (await eachOf(blocks, checkBlock)).flat()
