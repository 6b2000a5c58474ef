/** The packages in frameworks of others: the files of `docs/start/embed.md` in an empty project, each run and used. */
import { cpSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from "node:fs"
import { createServer } from "node:net"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { at } from "../../workspace/paths.mjs"
import { managers } from "./managers.mjs"
import { nodeOf } from "./nodes.mjs"
import { launch, started } from "./started.mjs"

const driver = fileURLToPath(new URL("../embedding/drive.ts", import.meta.url))

/** What the page tells to install besides the packages, in the versions that it was tried with. */
const frameworks = {
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

const { devDependencies } = JSON.parse(readFileSync(at("package.json"), "utf8"))
const besides = ["effect", "typescript", "@types/node"].map((name) => [name, devDependencies[name]])

const compilerOptions = {
  target: "ES2022",
  lib: ["ES2024", "DOM"],
  types: ["node"],
  module: "NodeNext",
  strict: true,
  verbatimModuleSyntax: true,
  experimentalDecorators: true,
  rewriteRelativeImportExtensions: true,
  // The declarations of frameworks are theirs to check.
  skipLibCheck: true,
  rootDir: ".",
  outDir: "out"
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

/** Waits until a server answers on its port. */
const answering = async (address, { child, output }) => {
  for (const deadline = AbortSignal.timeout(60_000); ;) {
    const response = await fetch(`${address}/inside`).catch(() => undefined)
    if (response !== undefined) return
    if (child.exitCode !== null || deadline.aborted) throw new Error(`the server does not answer:\n${output()}`)
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
}

const use = async (file, options) => {
  const port = await freePort()
  const address = `http://127.0.0.1:${port}`
  const server = launch("node", [file], { ...options, env: { PORT: String(port) } })
  try {
    await answering(address, server)
    await started("node", ["out/drive.js", address], options)
    server.signal("SIGTERM")
    const code = await server.ended
    return code === 0 ? [] : [`${file} ends with ${code} after SIGTERM:\n${server.output()}`]
  } catch (error) {
    return [`${file}: ${error.message}\n${server.output()}`]
  } finally {
    server.signal("SIGKILL")
  }
}

/** Runs each file of the page that is a server in an empty project of this manager and line of Node, and answers what went wrong. */
export const embedding = async (packages, { manager, line }, say) => {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), "sojourn-embedding-")))
  const options = { cwd: folder, path: [await nodeOf(line)] }
  const run = ([file, ...args]) => started(file, args, options)
  try {
    const tarballs = Object.fromEntries(packages.map(({ name, tarball }) => [name, `file:${tarball}`]))
    const dependencies = { ...tarballs, ...Object.fromEntries(besides), ...frameworks }
    writeFileSync(join(folder, "package.json"), JSON.stringify({ private: true, type: "module", dependencies }))
    writeFileSync(join(folder, "tsconfig.json"), JSON.stringify({ compilerOptions, include: ["*.ts"] }))
    const files = filesOf(readFileSync(at("docs", "start", "embed.md"), "utf8"))
    for (const [name, text] of files) writeFileSync(join(folder, name), `${text}\n`)
    cpSync(driver, join(folder, "drive.ts"))
    managers[manager].prepare(folder, tarballs)
    await run(managers[manager].install)
    await run(managers[manager].run("tsc", ["-p", "."]))
    const faults = []
    for (const name of files.keys()) {
      if (name === "sojourn.ts") continue
      // Node runs what only has types to leave out, as the page says.
      const found = await use(name === "nest.ts" ? "out/nest.js" : name, options)
      say(`${manager}, Node ${line}: embedded as ${name}`)
      faults.push(...found.map((fault) => `${manager}, Node ${line}: ${fault}`))
    }
    return faults
  } catch (error) {
    return [`${manager}, Node ${line}: ${error.message}`]
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}
