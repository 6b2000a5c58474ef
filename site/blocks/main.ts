/** `npm run docs:check`: what is wrong with the code blocks of the documentation, and which of them nothing checks. */
import { allBlocks } from "./Block.ts"
import { check, exceptions } from "./check.ts"

const { blocks, faults } = allBlocks()
const all = [...faults, ...(await check(blocks))]
for (const { source, line, message } of all) console.error(`${source}:${line}: ${message}\n`)
const excepted = exceptions(blocks)
console.log(`${blocks.length} code blocks, ${all.length} faults, ${excepted.length} not checked or not run:`)
for (const line of excepted) console.log(`  ${line}`)
process.exitCode = all.length === 0 ? 0 : 1
