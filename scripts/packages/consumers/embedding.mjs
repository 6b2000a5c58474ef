/** The packages in frameworks of others: the files of `docs/start/embed.md`. */
import { readFileSync, writeFileSync } from "node:fs"
import { createServer } from "node:net"
import { join } from "node:path"
import { at } from "../../workspace/paths.mjs"
import { serving } from "./serving.mjs"
import { started } from "./started.mjs"

/** What the page says to install besides the packages, in the versions that it was tried with. */
export const frameworks = {
  "@hono/node-server": "2.1.9",
  "@nestjs/common": "12.5.1",
  "@nestjs/core": "12.5.1",
  "@nestjs/platform-express": "12.5.1",
  "@types/express": "5.0.6",
  express: "5.3.0",
  fastify: "5.12.8",
  hono: "4.13.19",
  "reflect-metadata": "0.2.2",
  rxjs: "7.8.2"
}

/** The files of a page, by their names: `<!-- file: hono.ts -->` stands before a block. */
const filesOf = (page) =>
  new Map([...page.matchAll(/<!-- file: (\S+) -->\n\n```ts\n([\s\S]*?)\n```\n/g)].map(([, name, text]) => [name, text]))

const freePort = () =>
  new Promise((resolve) => {
    const server = createServer().listen(0, "127.0.0.1", () => {
      const { port } = server.address()
      server.close(() => resolve(port))
    })
  })

/** Writes the files into a folder of the project, and returns the names of those that are servers. */
export const writeEmbedding = (folder) => {
  const files = filesOf(readFileSync(at("docs", "start", "embed.md"), "utf8"))
  for (const [name, text] of files) writeFileSync(join(folder, name), `${text}\n`)
  return [...files.keys()].filter((name) => name !== "sojourn.ts")
}

/** Runs and uses one of them. Node runs what only has types to leave out, as the page says. */
export const embedded = async (name, options) => {
  const file = name === "nest.ts" ? "out/embedding/nest.js" : `embedding/${name}`
  const port = String(await freePort())
  const server = { ...options, env: { PORT: port }, address: `http://127.0.0.1:${port}`, probe: "/inside" }
  const drive = (address) => started("node", ["out/embedding/drive.js", address], options)
  const { code, output } = await serving(["node", file], server, drive)
  return code === 0 ? [] : [`${file} ends with ${code} after SIGTERM:\n${output}`]
}
