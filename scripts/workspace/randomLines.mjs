/** Draws random lines of code, each with its file's first docstring, for a review of what the docstrings explain. */
import { execFileSync } from "node:child_process"
import { readFileSync } from "node:fs"
import { at } from "./paths.mjs"

const FOLDERS = ["packages/*/src", "scripts", "benchmarks", "examples"]

/** Random numbers in [0, 1) from a seed: mulberry32, the same on each machine. */
const randomNumbers = (seed) => {
  let state = seed >>> 0
  return () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}

const FIRST_DOCSTRING = /^[ \t]*\/\*\*([^]*?)\*\//m
const oneLine = (docstring) =>
  docstring
    .replace(/^\s*\*/gm, " ")
    .replace(/\s+/g, " ")
    .trim()

/** The lines of code of a file. Comments, imports, and lines of punctuation alone are not among them. */
const linesOf = (file) => {
  const text = readFileSync(at(file), "utf8")
  const docstring = oneLine(FIRST_DOCSTRING.exec(text)?.[1] ?? "no docstring")
  const blank = (match) => match.replace(/.+/g, "")
  return text
    .replace(/^[ \t]*\/\*[^]*?\*\/|^[ \t]*\/\/.*|^import\b[^]*?(?:"[^"\n]*"|from "[^"\n]*")$/gm, blank)
    .split("\n")
    .map((line, index) => ({ file, number: index + 1, code: line.trim(), docstring }))
    .filter(({ code }) => /\w/.test(code))
}

/** Prints `count` lines that the seed chooses, as `file:line: text`, and below each the first docstring of its file. */
export const randomLines = (seed = "1", count = "20") => {
  const pathspecs = FOLDERS.flatMap((folder) => ["ts", "mjs"].map((extension) => `:(glob)${folder}/**/*.${extension}`))
  const files = execFileSync("git", ["ls-files", "-z", "--", ...pathspecs], { cwd: at(), encoding: "utf8" }).split("\0")
  const lines = files.filter((file) => file !== "").flatMap(linesOf)
  const random = randomNumbers(Number(seed))
  for (let drawn = 0; drawn < Number(count); drawn++) {
    const { file, number, code, docstring } = lines[Math.floor(random() * lines.length)]
    console.log(`${file}:${number}: ${code}\n    ${docstring}`)
  }
  return 0
}
