/** The tags `@since` and `@category` of public declarations. */
import { readFileSync, writeFileSync } from "node:fs"
import { join, relative } from "node:path"
import { declarationsOf, publicDeclarations } from "./modules.mjs"

const read = (file) => readFileSync(file, "utf8")

/** The docstring that ends right before a line: the indices of its lines. */
const docOf = (lines, line) => {
  if (!lines[line - 1]?.trimEnd().endsWith("*/")) return undefined
  let first = line - 1
  while (first > 0 && !lines[first].startsWith("/*")) first--
  return lines[first].startsWith("/**") ? { first, end: line } : undefined
}

const isTagged = (lines, line) => {
  const doc = docOf(lines, line)
  const text = doc === undefined ? "" : lines.slice(doc.first, doc.end).join("\n")
  return /^ \* @since \d+\.\d+\.\d+$/m.test(text) && /^ \* @category [a-z][a-z ]*$/m.test(text)
}

/** The public declarations of a package that lack a tag. */
export const untagged = (folder, manifest) =>
  [...publicDeclarations(folder, manifest)].flatMap(([file, names]) => {
    const text = read(file)
    const lines = text.split("\n")
    return [...declarationsOf(text)]
      .filter(([name, line]) => names.has(name) && !isTagged(lines, line))
      .map(([name, line]) => ({ file: relative(folder, file), name, line }))
  })

/** Categories by what a declaration is, in its first lines: the first that fits. */
const categories = [
  ["errors", /class \w+ extends .*Error\b|class \w+ extends TaggedError|class \w+ extends Error/],
  ["services", /class \w+ extends Context\.|= Context\.(Reference|Service)/],
  ["services", /^export (const|class) [A-Z]\w*\b.*Context\.Reference/],
  ["layers", /^export (const|function) layer\w*/],
  ["laws", /^export (const|function) \w+Laws\b/],
  ["schemas", /= \w+(\(.*\))?\.pipe\(Schema\.brand\(/],
  ["schemas", /^export const [A-Z]\w* = Schema\.|^export class \w+ extends Schema\./],
  ["definitions", /class \w+ extends Http\w+\.|= Http\w+\.|class \w+ extends HttpApi/],
  ["models", /^export (interface|type|enum)\b/],
  ["guards", /^export (const|function) (is|has|can)[A-Z]/],
  ["constructors", /^export (const|function) (make|create|empty)[A-Z]?\w*\b|^export const [A-Z][a-z]\w* = (Brand|\()/],
  ["conversions", /^export (const|function) (parse|format|read|write|to|from|encode|decode|describe)[A-Z]/],
  ["constants", /^export const ([A-Z0-9_]+\b|default[A-Z])/]
]

/** Values in these folders of the test kit are what their folder is called. */
const folderOf = (file) => /^src\/(arbitraries)\//.exec(file)?.[1]

const categoryOf = (code, file) =>
  categories.find(([, pattern]) => pattern.test(code))?.[0] ?? folderOf(file) ?? "functions"

/** A docstring in several lines that ends with these tags. */
const withTags = (doc, tags) => {
  const text = doc
    .join("\n")
    .replace(/^\/\*\*\s?/, "")
    .replace(/\s*\*\/$/, "")
  const body = text.split("\n").map((line) => line.replace(/^\s*\* ?/, "").trimEnd())
  while (body[0] === "") body.shift()
  const said = body.length === 0 || body.at(-1).startsWith("@") ? body : [...body, ""]
  return ["/**", ...[...said, ...tags].map((line) => ` * ${line}`.trimEnd()), " */"]
}

/** Adds the tags that are missing, with the category that the declaration seems to have. */
export const addTags = (folder, manifest) => {
  const found = untagged(folder, manifest)
  for (const file of new Set(found.map((one) => one.file))) {
    const lines = read(join(folder, file)).split("\n")
    for (const { line } of found.filter((one) => one.file === file).toReversed()) {
      const doc = docOf(lines, line)
      const old = doc === undefined ? [] : lines.slice(doc.first, doc.end)
      const said = old.join("\n")
      const tags = [
        ...(/@since /.test(said) ? [] : [`@since ${manifest.version}`]),
        ...(/@category /.test(said) ? [] : [`@category ${categoryOf(lines.slice(line, line + 3).join("\n"), file)}`])
      ]
      lines.splice(doc?.first ?? line, old.length, ...withTags(old, tags))
    }
    writeFileSync(join(folder, file), lines.join("\n"))
  }
}
