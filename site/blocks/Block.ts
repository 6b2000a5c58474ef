/** A code block of the documentation, and what the comment before it says to the checker. */
import { posix } from "node:path"
import { filesBelow, isFile, read } from "../pages/repository.ts"

/**
 * What a comment on the lines before a block says:
 * - `<!-- given ... -->` holds code that stands before the block when it is checked: what the text around it says in words;
 * - `<!-- not run: reason -->`: types alone are checked of a program, the words alone of a command;
 * - `<!-- run -->`: the commands are run, one block of a page after the other, beside a server with the demo's data;
 * - `<!-- is: issuers.json -->`: the JSON is such a file, and is read as the server reads it;
 * - `<!-- file: hono.ts -->`: an empty project that has the packed packages runs it as this file (`scripts/packages`);
 * - `<!-- unchecked: reason -->`: nothing is checked.
 */
export interface Marks {
  readonly preamble: string
  readonly notRun: string | undefined
  readonly run: boolean
  readonly is: string | undefined
  readonly file: string | undefined
  readonly unchecked: string | undefined
}

export interface Block {
  readonly source: string
  /** The line of its opening fence. */
  readonly line: number
  readonly language: string
  readonly text: string
  readonly marks: Marks
}

/** What is wrong with a block, or with its page. */
export interface Fault {
  readonly source: string
  readonly line: number
  readonly message: string
}

export const fault = ({ source, line }: Pick<Block, "source" | "line">, message: string): Fault => ({
  source,
  line,
  message
})

const FENCE = /^(\s*)(`{3,}|~{3,})\s*(\S*).*$/
const KNOWN = /^(?:given\b|not run: \S|run$|is: \S+$|file: \S+$|unchecked: \S)/

/** The comments right before a line: nothing but empty lines lies between. */
const commentsBefore = (lines: ReadonlyArray<string>): ReadonlyArray<string> => {
  const before = lines.join("\n").trimEnd()
  const last = /<!--((?:(?!-->)[\s\S])*)-->$/.exec(before)
  return last === null ? [] : [...commentsBefore(before.slice(0, last.index).split("\n")), last[1]!.trim()]
}

const after = (comments: ReadonlyArray<string>, word: string): string | undefined =>
  comments
    .find((comment) => comment.startsWith(word))
    ?.slice(word.length)
    .trim()

const marksOf = (comments: ReadonlyArray<string>): Marks => ({
  preamble: comments.flatMap((comment) => (comment.startsWith("given") ? [comment.slice(5).trim()] : [])).join("\n"),
  notRun: after(comments, "not run:"),
  run: comments.includes("run"),
  is: after(comments, "is:"),
  file: after(comments, "file:"),
  unchecked: after(comments, "unchecked:")
})

/** The blocks of a page, without the indentation that a list gives them. Comments that mean nothing are faults. */
export const blocksOf = (
  source: string,
  text: string
): { readonly blocks: ReadonlyArray<Block>; readonly faults: ReadonlyArray<Fault> } => {
  const lines = text.split("\n")
  const blocks: Array<Block> = []
  const faults: Array<Fault> = []
  for (let index = 0; index < lines.length; index++) {
    const open = FENCE.exec(lines[index]!)
    if (open === null) continue
    const [, indent, marks, language] = open
    const end = lines.findIndex((line, at) => at > index && line.trim() === marks)
    const line = index + 1
    if (end === -1) {
      faults.push({ source, line, message: "the block does not end" })
      break
    }
    const comments = commentsBefore(lines.slice(0, index))
    for (const comment of comments) {
      if (!KNOWN.test(comment)) faults.push({ source, line, message: `a comment that says nothing here: ${comment}` })
    }
    const body = lines.slice(index + 1, end).map((one) => (one.startsWith(indent!) ? one.slice(indent!.length) : one))
    blocks.push({ source, line, language: language!, text: body.join("\n"), marks: marksOf(comments) })
    index = end
  }
  return { blocks, faults }
}

/** Every page whose code blocks are checked. */
export const checkedPages = (): ReadonlyArray<string> => [
  ...["README.md", "CONTRIBUTING.md", "AGENTS.md", "SECURITY.md"].filter(isFile),
  ...filesBelow("docs", (path) => path.endsWith(".md")),
  ...["packages", "examples", "benchmarks"].flatMap((folder) =>
    filesBelow(folder, (path) => ["README.md", "AGENTS.md"].includes(posix.basename(path)))
  )
]

/** Every code block of the documentation. */
export const allBlocks = () => {
  const pages = checkedPages().map((source) => blocksOf(source, read(source)))
  return { blocks: pages.flatMap(({ blocks }) => blocks), faults: pages.flatMap(({ faults }) => faults) }
}
