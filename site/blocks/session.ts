/** Commands that are run: those of a page one after the other, in one shell, beside a server with the demo's data. */
import { writeFileSync } from "node:fs"
import { join } from "node:path"
import { program, startSojourn } from "../sojourn.ts"
import { type Block, type Fault, fault } from "./Block.ts"
import { inSandbox, run } from "./processes.ts"

const quoted = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`

/**
 * `curl` calls this server in the place of the one that pages speak of. An answer of 400 or more fails, unless the block itself
 * shows the status (`-w`).
 */
const prelude = (url: string): string => `
set -eu -o pipefail
sojourn() { ${[process.execPath, ...program].map(quoted).join(" ")} "$@"; }
npm() {
  while [ "$1" != -- ]; do shift; done
  shift
  sojourn "$@"
}
curl() {
  local fail=--fail-with-body words=() word
  for word in "$@"; do
    [ "$word" = -w ] && fail=-sS
    words+=("\${word//http:\\/\\/127.0.0.1:8080/${url}}")
  done
  command curl "$fail" "\${words[@]}"
}
`

const runPage = (source: string, blocks: ReadonlyArray<Block>): Promise<ReadonlyArray<Fault>> =>
  inSandbox(async (folder) => {
    await using server = await startSojourn()
    const script = blocks.map(({ line, text }) => `echo "@@ ${line}"\n${text}`).join("\n")
    writeFileSync(join(folder, "page.sh"), `${prelude(server.url)}\n${script}\n`)
    const env = { ...process.env, SOJOURN_DATA: server.data, SOJOURN_SERVER: server.url, SOJOURN_STORAGE: "memory" }
    const { code, output } = await run("/bin/bash", ["page.sh"], { cwd: folder, env })
    const line = Number([...output.matchAll(/^@@ (\d+)$/gm)].at(-1)?.[1] ?? 0)
    return code === 0 ? [] : [fault({ source, line }, `it ends with ${code}:\n${output}`)]
  })

export const runSessions = async (blocks: ReadonlyArray<Block>): Promise<ReadonlyArray<Fault>> => {
  const found: Array<Fault> = []
  for (const source of new Set(blocks.map((block) => block.source))) {
    found.push(
      ...(await runPage(
        source,
        blocks.filter((block) => block.source === source)
      ))
    )
  }
  return found
}
