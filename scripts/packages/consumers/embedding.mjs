/**
 * The packages in programs of others: the files of `docs/start/embed.md` and of the README of adapter-postgres in an empty project, each
 * run and used. Those on PostgreSQL share the database of an application whose tables have names of ours.
 */
import { generateKeyPairSync, randomBytes } from "node:crypto"
import { cpSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from "node:fs"
import { createServer } from "node:net"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { at } from "../../workspace/paths.mjs"
import { managers } from "./managers.mjs"
import { nodeOf } from "./nodes.mjs"
import { launch, started } from "./started.mjs"

const drivers = fileURLToPath(new URL("../embedding", import.meta.url))

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

/** The pages whose files are run. */
const pages = [at("docs", "start", "embed.md"), at("packages", "adapter-postgres", "README.md")]

/** The files of the pages, by their names: `<!-- file: hono.ts -->` stands before a block. */
const filesOf = (page) =>
  [...page.matchAll(/<!-- file: (\S+) -->\n\n```ts\n([\s\S]*?)\n```\n/g)].map(([, name, text]) => [name, text])

/** The programs: in memory, and on PostgreSQL. Node runs what only has types to leave out, as the page says. */
const inMemory = [{ file: "hono.ts" }, { file: "express.ts" }, { file: "fastify.ts" }, { file: "out/nest.js" }]
const onPostgres = [
  { file: "postgres.ts", below: "", drive: ["root"] },
  { file: "app.ts", below: "/presence", drive: [] },
  { file: "hono-postgres.ts", below: "/presence", drive: [] },
  { file: "next.ts", below: "/presence", drive: [] }
]

/** The files of the pages that other files import. */
const imported = ["sojourn.ts", "service.ts", "route.ts", "nest.ts"]

/** How long a program may take to end after SIGTERM, in milliseconds. */
const END_WITHIN = 10_000

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

/** Starts a program, does something with its address, ends it by SIGTERM, and answers what went wrong. */
const use = async (file, options, env, work) => {
  const port = await freePort()
  const address = `http://127.0.0.1:${port}`
  const server = launch("node", [file], { ...options, env: { PORT: String(port), ...env } })
  try {
    await answering(address, server)
    const besides = await work(address)
    const begun = performance.now()
    server.signal("SIGTERM")
    const code = await server.ended
    await besides?.ended
    const took = performance.now() - begun
    if (code !== 0) return [`${file} ends with ${code} after SIGTERM:\n${server.output()}`]
    return took < END_WITHIN ? [] : [`${file} takes ${took} ms to end`]
  } catch (error) {
    return [`${file}: ${error.message}\n${server.output()}`]
  } finally {
    server.signal("SIGKILL")
  }
}

const drive = (options, ...args) => started("node", ["out/drive.js", ...args], options)

/** A reader of a presence stream, once it has the stream. */
const follow = async (address, options) => {
  const reader = launch("node", ["out/follow.js", address], options)
  const code = await Promise.race([
    reader.ended,
    new Promise((resolve) => reader.child.stdout.on("data", () => resolve(undefined)))
  ])
  if (code !== undefined) throw new Error(`the presence stream cannot be read:\n${reader.output()}`)
  const ended = reader.ended.then((end) => {
    if (end !== 0) throw new Error(`the presence stream did not end well:\n${reader.output()}`)
  })
  ended.catch(() => {})
  return { ended }
}

/** Starts the database of an application, whose end answers whether its tables are as they were. */
const startDatabase = async (options) => {
  const database = launch("node", ["out/database.js"], options)
  const url = await Promise.race([
    new Promise((resolve) => database.child.stdout.once("data", (line) => resolve(line.trim()))),
    database.ended.then(() => undefined)
  ])
  if (url === undefined) throw new Error(`the database does not start:\n${database.output()}`)
  const end = async () => {
    database.signal("SIGTERM")
    return (await database.ended) === 0 ? [] : [`the application's tables changed:\n${database.output()}`]
  }
  return { url, end, kill: () => database.signal("SIGKILL") }
}

/** Starts a program that cannot start, and answers unless it prints one short line about the reason and fails. */
const refuse = async (file, options, env, reason) => {
  const begun = performance.now()
  const { ended, output } = launch("node", [file], { ...options, env })
  const code = await ended
  const isGood =
    code === 1 && /^[^\n]{1,400}\n$/.test(output()) && output().includes(reason) && performance.now() - begun < 40_000
  return isGood ? [] : [`${file} without ${reason} ends with ${code}:\n${output()}`]
}

/** Uses a program on PostgreSQL in two starts, the first of which ends with an open stream, and in starts that fail. */
const useOnPostgres = async ({ file, below, drive: how }, options, env) => {
  const taken = createServer()
  const port = await new Promise((resolve) => taken.listen(0, () => resolve(String(taken.address().port))))
  const driven = { ...options, env }
  const first = await use(file, options, env, async (address) => {
    await drive(driven, address, ...how)
    return follow(`${address}${below}`, driven)
  })
  const second = await use(file, options, env, (address) => drive(driven, address, ...how).then(() => undefined))
  const away = "postgresql://user:secret@127.0.0.1:1/nothing"
  const refused = [
    await refuse(file, options, { ...env, PORT: "0", TOKEN_KEYS: "" }, "TOKEN_KEYS"),
    await refuse(file, options, { ...env, PORT: "0", DATABASE_URL: away }, "127.0.0.1:1"),
    // The driver of Next.js, which listens itself in its place, is no program of the page.
    file === "next.ts" ? [] : await refuse(file, options, { ...env, PORT: port }, port)
  ]
  taken.close()
  return [...first, ...second, ...refused.flat()]
}

/** The programs on PostgreSQL, with secrets of their own. */
const usePostgres = async (options, say) => {
  const database = await startDatabase(options)
  const { privateKey } = generateKeyPairSync("ed25519")
  const env = {
    DATABASE_URL: database.url,
    TOKEN_KEYS: `1:${randomBytes(32).toString("base64url")}`,
    ISSUER_KEY: JSON.stringify(privateKey.export({ format: "jwk" }))
  }
  const faults = []
  try {
    for (const program of onPostgres) {
      faults.push(...(await useOnPostgres(program, options, env)))
      say(`${program.file} on PostgreSQL`)
    }
    return [...faults, ...(await database.end())]
  } finally {
    database.kill()
  }
}

/** The program of the README alone, with the flags that a reader has. */
const ALONE = "--ignoreConfig --noEmit --module nodenext --strict --skipLibCheck false postgres.ts".split(" ")

const makeProject = (folder, manager, packages) => {
  const tarballs = Object.fromEntries(packages.map(({ name, tarball }) => [name, `file:${tarball}`]))
  const dependencies = { ...tarballs, ...Object.fromEntries(besides), ...frameworks }
  writeFileSync(join(folder, "package.json"), JSON.stringify({ private: true, type: "module", dependencies }))
  writeFileSync(join(folder, "tsconfig.json"), JSON.stringify({ compilerOptions, include: ["*.ts"] }))
  cpSync(drivers, folder, { recursive: true })
  const files = pages.flatMap((page) => filesOf(readFileSync(page, "utf8")))
  for (const [name, text] of files) writeFileSync(join(folder, name), `${text}\n`)
  managers[manager].prepare(folder, tarballs)
  const known = [...inMemory, ...onPostgres].map(({ file }) => file).concat(imported)
  return files.map(([name]) => name).filter((name) => !known.includes(name))
}

/** Runs each program of the pages in an empty project of this manager and line of Node, and answers what went wrong. */
export const embedding = async (packages, { manager, line }, say) => {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), "sojourn-embedding-")))
  const options = { cwd: folder, path: [await nodeOf(line)] }
  const run = ([file, ...args]) => started(file, args, options)
  const where = `${manager}, Node ${line}`
  try {
    const faults = makeProject(folder, manager, packages).map((name) => `nothing runs ${name}`)
    await run(managers[manager].install)
    await run(managers[manager].run("tsc", ["-p", "."]))
    await run(managers[manager].run("tsc", ALONE))
    for (const { file } of inMemory) {
      faults.push(...(await use(file, options, {}, (address) => drive(options, address).then(() => undefined))))
      say(`${where}: embedded as ${file}`)
    }
    faults.push(...(await usePostgres(options, (line) => say(`${where}: embedded as ${line}`))))
    return faults.map((fault) => `${where}: ${fault}`)
  } catch (error) {
    return [`${where}: ${error.message}`]
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}
