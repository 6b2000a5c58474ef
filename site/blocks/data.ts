/** JSON and YAML are parsed; a file that the server takes is given to a server. */
import { writeFileSync } from "node:fs"
import { join } from "node:path"
import { parseDocument } from "yaml"
import { startSojourn } from "../sojourn.ts"
import { type Block, type Fault, fault } from "./Block.ts"
import { eachOf, inSandbox } from "./processes.ts"

/** The flag that takes a file of this name. */
const FLAGS: Readonly<Record<string, string>> = {
  "issuers.json": "--issuers",
  "directories.json": "--directories",
  "permissions.json": "--permissions"
}

/** Starts a server with the block as the file, and with a file for each password that it names. */
const serve = (block: Block, flag: string): Promise<ReadonlyArray<Fault>> =>
  inSandbox(async (folder) => {
    const file = join(folder, block.marks.is!)
    writeFileSync(file, block.text)
    for (const [, name] of block.text.matchAll(/"passwordFile": *"([^"/]+)"/g)) writeFileSync(join(folder, name!), "x")
    try {
      const server = await startSojourn([flag, file])
      await server[Symbol.asyncDispose]()
      return []
    } catch (error) {
      return [fault(block, String(error))]
    }
  })

const parse = (block: Block): string | undefined => {
  try {
    JSON.parse(block.text)
    return undefined
  } catch (error) {
    return String(error)
  }
}

export const checkJson = async (blocks: ReadonlyArray<Block>): Promise<ReadonlyArray<Fault>> =>
  (
    await eachOf(blocks, async (block) => {
      const message = parse(block)
      if (message !== undefined) return [fault(block, message)]
      if (block.marks.is === undefined) return []
      const flag = FLAGS[block.marks.is]
      return flag === undefined ? [fault(block, `no flag takes ${block.marks.is}`)] : serve(block, flag)
    })
  ).flat()

export const checkYaml = (blocks: ReadonlyArray<Block>): ReadonlyArray<Fault> =>
  blocks.flatMap((block) => parseDocument(block.text).errors.map(({ message }) => fault(block, message)))
