/** The reference of the command line: what each command says with `--help`. */
import { eachOf, run } from "../blocks/processes.ts"
import { at } from "../pages/repository.ts"
import { program } from "../sojourn.ts"

const helpOf = async (words: ReadonlyArray<string>): Promise<string> => {
  const env = { ...process.env, NO_COLOR: "1" }
  const { code, output } = await run(process.execPath, [...program, ...words, "--help"], { cwd: at("."), env })
  if (code !== 0) throw new Error(`sojourn ${words.join(" ")} --help ends with ${code}:\n${output}`)
  return output.trim()
}

/** The names below SUBCOMMANDS. */
export const subcommands = (help: string): ReadonlyArray<string> =>
  [...(/^SUBCOMMANDS\n((?: .*\n?)*)/m.exec(help)?.[1] ?? "").matchAll(/^ {2}([\w-]+)/gm)].map(([, name]) => name!)

const part = (help: string, name: string): string => {
  const [, text = ""] = new RegExp(`^${name}\\n((?:(?: .*)?\\n?)*)`, "m").exec(`${help}\n`) ?? []
  return text.trimEnd()
}

/** A command as a section. What every command has, stands once. */
export const section = (words: ReadonlyArray<string>, help: string): string => {
  const title = ["sojourn", ...words].join(" ")
  const shown = ["USAGE", "ARGUMENTS", "FLAGS", "SUBCOMMANDS"]
    .map((name) => [name, part(help, name)] as const)
    .filter(([, text]) => text !== "")
    .map(([name, text]) => `${name}\n${text}`)
  return `## ${title}\n\n${part(help, "DESCRIPTION").trim()}.\n\n\`\`\`text\n${shown.join("\n\n")}\n\`\`\`\n`
}

const sections = async (words: ReadonlyArray<string>): Promise<ReadonlyArray<string>> => {
  const help = await helpOf(words)
  const below = await eachOf(subcommands(help), (name) => sections([...words, name]))
  return [section(words, help), ...below.flat()]
}

/** The page, in Markdown. */
export const commandLinePage = async (): Promise<string> => {
  const all = await sections([])
  const flags = part(await helpOf([]), "GLOBAL FLAGS")
  return `# The command line\n\nWhat each command says with \`--help\`. A flag's environment variable stands in brackets.\n\n${all.join("\n")}\n## Flags of every command\n\n\`\`\`text\n${flags}\n\`\`\`\n`
}
