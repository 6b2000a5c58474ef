/** Every code block of the documentation, checked by what it is written in. */
import type { Block, Fault } from "./Block.ts"
import { fault } from "./Block.ts"
import { checkJson, checkYaml } from "./data.ts"
import { runSessions } from "./session.ts"
import { checkShell } from "./shell.ts"
import { checkSql } from "./sql.ts"
import { checkTypeScript } from "./typescript.ts"

/** `text` is a picture or an output, and `md` is prose: there is nothing in them to compile or to run. */
const CHECKED = ["ts", "sh", "json", "yaml", "sql", "text", "md"]

/** What is wrong with these blocks. Files of the work are in a folder below `site/.cache` with this name. */
export const check = async (all: ReadonlyArray<Block>, name = "blocks"): Promise<ReadonlyArray<Fault>> => {
  const blocks = all.filter(({ marks }) => marks.unchecked === undefined && marks.file === undefined)
  const of = (language: string) => blocks.filter((block) => block.language === language)
  const unknown = blocks
    .filter(({ language }) => !CHECKED.includes(language))
    .map((block) =>
      fault(block, `nothing checks "${block.language}": say what it is, or <!-- unchecked: why --> before it`)
    )
  const calls = of("sh").filter(
    ({ text, marks }) => /^[^#\n]*\bcurl\b/m.test(text) && !marks.run && marks.notRun === undefined
  )
  const idle = calls.map((block) => fault(block, "it calls a server: <!-- run --> or <!-- not run: why --> before it"))
  return [
    ...unknown,
    ...idle,
    ...(await checkTypeScript(of("ts"), name)),
    ...(await checkShell(of("sh"))),
    ...(await runSessions(of("sh").filter(({ marks }) => marks.run))),
    ...(await checkJson(of("json"))),
    ...checkYaml(of("yaml")),
    ...(await checkSql(of("sql")))
  ]
}

/** The blocks that are not checked, or not as far as they could be, with the reason of each. */
export const exceptions = (blocks: ReadonlyArray<Block>): ReadonlyArray<string> =>
  blocks.flatMap(({ source, line, marks }) => {
    const reason = marks.unchecked ?? marks.notRun
    return reason === undefined
      ? []
      : [`${source}:${line}: ${marks.unchecked === undefined ? "not run" : "unchecked"}: ${reason}`]
  })
