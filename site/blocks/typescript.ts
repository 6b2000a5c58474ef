/** TypeScript: every block is compiled against the packages; programs are run, and tests as well. */
import { mkdirSync, rmSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { at, root } from "../pages/repository.ts"
import { type Block, type Fault, fault } from "./Block.ts"
import { eachOf, inSandbox, run } from "./processes.ts"

interface Module {
  readonly block: Block
  readonly file: string
  /** How many lines stand before the block's own. */
  readonly offset: number
}

const isTest = ({ text }: Block): boolean => /from "(@effect\/vitest|vitest)"|\bstoreLaws\(/.test(text)

/** What is declared and not made has no value to run with. */
const isProgram = ({ marks }: Block): boolean => marks.notRun === undefined && !/^declare /m.test(marks.preamble)

const CONFIG = {
  extends: "../../../tsconfig.base.json",
  include: ["*.ts"],
  compilerOptions: {
    noEmit: true,
    composite: false,
    declarationMap: false,
    sourceMap: false,
    allowImportingTsExtensions: true,
    rewriteRelativeImportExtensions: false,
    noUnusedLocals: false,
    noUnusedParameters: false,
    types: ["node"]
  }
}

/** Below `site`, so that imports find what `site` depends on: every package of the workspace. */
const write = (folder: string, blocks: ReadonlyArray<Block>): ReadonlyArray<Module> => {
  rmSync(folder, { recursive: true, force: true })
  mkdirSync(folder, { recursive: true })
  writeFileSync(join(folder, "tsconfig.json"), JSON.stringify(CONFIG))
  return blocks.map((block) => {
    const name = `${block.source.replace(/\.md$/, "").replaceAll(/\W+/g, "-")}-${block.line}`
    const file = `${name}${isTest(block) ? ".test" : ""}.ts`
    const before = block.marks.preamble === "" ? "" : `${block.marks.preamble}\n`
    writeFileSync(join(folder, file), `${before}${block.text}\nexport {}\n`)
    return { block, file, offset: before.split("\n").length - 1 }
  })
}

const compile = async (folder: string, modules: ReadonlyArray<Module>): Promise<ReadonlyArray<Fault>> => {
  const { output } = await run(process.execPath, [at("node_modules/typescript/bin/tsc"), "-p", "."], { cwd: folder })
  return [...output.matchAll(/^(\S+?)\((\d+),\d+\): (error TS\d+: .*)$/gm)].map(([whole, path, line, message]) => {
    const found = modules.find(({ file }) => path!.endsWith(file))
    if (found === undefined) return { source: path!, line: Number(line), message: whole! }
    const { block, offset } = found
    return { source: block.source, line: block.line + Math.max(0, Number(line) - offset), message: message! }
  })
}

const runProgram = (folder: string, { block, file }: Module): Promise<ReadonlyArray<Fault>> =>
  inSandbox(async (cwd) => {
    const { code, output } = await run(process.execPath, ["--conditions=source", join(folder, file)], { cwd })
    return code === 0 ? [] : [fault(block, `it ends with ${code}:\n${output}`)]
  })

const runTests = async (folder: string, modules: ReadonlyArray<Module>): Promise<ReadonlyArray<Fault>> => {
  if (modules.length === 0) return []
  const config = join(folder, "vitest.config.ts")
  writeFileSync(
    config,
    `const conditions = ["source"]
export default {
  root: ${JSON.stringify(folder)},
  resolve: { conditions },
  ssr: { resolve: { conditions } },
  test: { include: ["*.test.ts"], testTimeout: 180000, hookTimeout: 180000, maxWorkers: 2, isolate: false }
}\n`
  )
  const args = [at("node_modules/vitest/vitest.mjs"), "run", "--config", config, "--reporter=default"]
  // That the laws run is the point here: the packages' own tests run them at length.
  const env = { ...process.env, NO_COLOR: "1", SOJOURN_RUNS_FACTOR: "0.1" }
  const { code, output } = await run(process.execPath, args, { cwd: root, env })
  if (code === 0) return []
  return modules
    .filter(({ file }) => new RegExp(`FAIL\\s+(\\|[^|]*\\| )?${file.replaceAll(".", "\\.")}`).test(output))
    .map(({ block }) => fault(block, `its tests fail:\n${output}`))
    .concat(/FAIL/.test(output) ? [] : [{ source: "vitest", line: 0, message: output }])
}

/** Checks blocks in a folder below `site/.cache` with the given name. */
export const checkTypeScript = async (blocks: ReadonlyArray<Block>, name: string): Promise<ReadonlyArray<Fault>> => {
  if (blocks.length === 0) return []
  const folder = at(`site/.cache/${name}`)
  const modules = write(folder, blocks)
  const wrong = await compile(folder, modules)
  if (wrong.length > 0) return wrong
  const runnable = modules.filter(({ block }) => isProgram(block))
  const programs = await eachOf(
    runnable.filter(({ block }) => !isTest(block)),
    (module) => runProgram(folder, module)
  )
  return [
    ...programs.flat(),
    ...(await runTests(
      folder,
      runnable.filter(({ block }) => isTest(block))
    ))
  ]
}
