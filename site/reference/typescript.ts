/** The TypeScript reference: what each package exports, by TypeDoc, which reads the docstrings of the sources. */
import { readdirSync, readFileSync } from "node:fs"
import { join, posix } from "node:path"
import { inSandbox, run } from "../blocks/processes.ts"
import { at, isFile } from "../pages/repository.ts"
import type { ReferencePage } from "./pages.ts"

const FOLDER = "reference/typescript"

/** The packages whose exports are shown. */
export const documented = (): ReadonlyArray<string> =>
  readdirSync(at("packages"))
    .filter((name) => isFile(`packages/${name}/src/index.ts`))
    .sort()

// Its errors are skipped: the compiler of TypeDoc is older than the one that checks the types.
const OPTIONS = `--plugin typedoc-plugin-markdown --readme none --logLevel Error --skipErrorChecking
  --outputFileStrategy modules --entryFileName index --excludeExternals --disableSources
  --hideBreadcrumbs --hidePageHeader --useCodeBlocks --sanitizeComments`.split(/\s+/)

const titleOf = (text: string): string => /^# (.+)$/m.exec(text)?.[1] ?? ""

/** TypeDoc names modules by their folders, and people by the names of packages. */
const named = (text: string): string => text.replace(/^# ([\w-]+)\/src$/m, "# @sojourn/$1")

/** A page for each package and each namespace that it exports. */
export const typescriptPages = (): Promise<ReadonlyArray<ReferencePage>> =>
  inSandbox(async (folder) => {
    const entries = documented().map((name) => at(`packages/${name}/src/index.ts`))
    const args = ["--tsconfig", at("site/reference/typedoc.tsconfig.json"), "--out", folder, ...OPTIONS, ...entries]
    const { code, output } = await run(process.execPath, [at("site/node_modules/typedoc/bin/typedoc"), ...args], {
      cwd: at("site"),
      patience: 300_000
    })
    if (code !== 0) throw new Error(`TypeDoc ends with ${code}:\n${output}`)
    return readdirSync(folder, { recursive: true, encoding: "utf8" })
      .filter((path) => path.endsWith(".md") && path !== "index.md")
      .map((path) => path.replaceAll("\\", "/"))
      .sort()
      .map((path) => {
        const text = named(readFileSync(join(folder, path), "utf8"))
        return { path: posix.join(FOLDER, path), title: titleOf(text), text }
      })
  })
