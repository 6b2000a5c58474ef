/**
 * The packages in programs of others: the files of `docs/start/embed.md` and of the README of adapter-postgres. Those on PostgreSQL share
 * the database of an application whose tables have names of ours.
 */
import { generateKeyPairSync, randomBytes } from "node:crypto"
import { readFileSync, writeFileSync } from "node:fs"
import { createServer } from "node:net"
import { join } from "node:path"
import { at } from "../../workspace/paths.mjs"
import { serving } from "./serving.mjs"
import { launch, started } from "./started.mjs"

/** What the page says to install besides the packages, in the versions that it was tried with. */
export const frameworks = {
  // The database of the application is made with it.
  "@effect/sql-pg": "4.0.5",
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

/** The pages whose files are run. */
const pages = [at("docs", "start", "embed.md"), at("packages", "adapter-postgres", "README.md")]

/** The files of a page, by their names: `<!-- file: hono.ts -->` stands before a block. */
const filesOf = (page) =>
  [...page.matchAll(/<!-- file: (\S+) -->\n\n```(?:ts|json)\n([\s\S]*?)\n```\n/g)].map(([, name, text]) => [name, text])

/** The files that are no programs: others import them, and `next.ts` of the drivers serves the route of Next.js. */
const imported = ["sojourn.ts", "service.ts", "route.ts", "tsconfig.json"]

/** The programs on PostgreSQL: where the interface is, and how each is used. */
const onPostgres = [
  { name: "postgres.ts", below: "", how: ["root"] },
  { name: "app.ts", below: "/presence", how: [] },
  { name: "hono-postgres.ts", below: "/presence", how: [] },
  { name: "next.ts", below: "/presence", how: [] }
]

/** How long a program may take to end after SIGTERM, in milliseconds. */
const END_WITHIN = 10_000

const freePort = () =>
  new Promise((resolve) => {
    const server = createServer().listen(0, "127.0.0.1", () => {
      const { port } = server.address()
      server.close(() => resolve(port))
    })
  })

/** Writes the files into a folder of the project, and returns the names of those that are servers in memory. */
export const writeEmbedding = (folder) => {
  const files = pages.flatMap((page) => filesOf(readFileSync(page, "utf8")))
  for (const [name, text] of files) writeFileSync(join(folder, name), `${text}\n`)
  // Nest needs decorators, which the page says.
  const configuration = JSON.parse(readFileSync(join(folder, "tsconfig.json"), "utf8"))
  writeFileSync(join(folder, "tsconfig.json"), JSON.stringify({ ...configuration, exclude: ["nest.ts"] }))
  const others = [...imported, ...onPostgres.map(({ name }) => name)]
  return files.map(([name]) => name).filter((name) => !others.includes(name))
}

/** Compiles the program of the README by itself, with the flags that a reader has, who checks the declarations as well. */
export const ALONE =
  "--ignoreConfig --noEmit --module nodenext --strict --skipLibCheck false embedding/postgres.ts".split(" ")

/** Node runs what only has types to leave out, as the page says. */
const fileOf = (name) => (name === "nest.ts" ? "out/embedding/nest.js" : `embedding/${name}`)

const drive = (options, ...args) => started("node", ["out/embedding/drive.js", ...args], options)

/** Runs a program, does something with its address, ends it, and answers what went wrong. */
const use = async (file, { env, ...options }, probe, work) => {
  const port = String(await freePort())
  const server = { ...options, env: { ...env, PORT: port }, address: `http://127.0.0.1:${port}`, probe }
  let begun = 0
  const { code, output } = await serving(["node", file], server, async (address) => {
    await work(address)
    begun = performance.now()
  })
  const took = performance.now() - begun
  if (code !== 0) return [`${file} ends with ${code} after SIGTERM:\n${output}`]
  return took < END_WITHIN ? [] : [`${file} takes ${took} ms to end`]
}

/** Runs and uses one of the programs in memory. */
export const embedded = (name, options) => use(fileOf(name), options, "/inside", (address) => drive(options, address))

/** Starts a reader of a presence stream. `opened` is when it has the stream, and `ended` what went wrong until the server ended that. */
const follow = (address, options) => {
  const reader = launch("node", ["out/embedding/follow.js", address], options)
  const ended = reader.ended.then((code) => (code === 0 ? [] : [`the stream of ${address}:\n${reader.output()}`]))
  return { opened: Promise.race([ended, new Promise((resolve) => reader.child.stdout.on("data", resolve))]), ended }
}

/** Starts a program that cannot start, and answers unless it prints one short line about the reason and fails. */
const refused = async (file, { env, ...options }, change, reason) => {
  const begun = performance.now()
  const { ended, output } = launch("node", [file], { ...options, env: { ...env, PORT: "0", ...change } })
  const code = await ended
  const isGood =
    code === 1 && /^[^\n]{1,400}\n$/.test(output()) && output().includes(reason) && performance.now() - begun < 40_000
  return isGood ? [] : [`${file} with ${Object.keys(change)} ends with ${code}:\n${output()}`]
}

/** Uses a program on PostgreSQL in two starts, the first of which ends with an open stream, and in starts that fail. */
const usedTwice = async ({ name, below, how }, options) => {
  const file = fileOf(name)
  const probe = `${below}/health/ready`
  let stream
  const first = await use(file, options, probe, async (address) => {
    await drive(options, address, ...how)
    stream = follow(`${address}${below}`, options)
    await stream.opened
  })
  const second = await use(file, options, probe, (address) => drive(options, address, ...how))
  const away = "postgresql://user:secret@127.0.0.1:1/nothing"
  const taken = createServer()
  const port = await new Promise((resolve) => taken.listen(0, () => resolve(String(taken.address().port))))
  const failed = [
    await refused(file, options, { TOKEN_KEYS: "" }, "TOKEN_KEYS"),
    await refused(file, options, { DATABASE_URL: away }, "127.0.0.1:1"),
    // Next.js listens by itself.
    name === "next.ts" ? [] : await refused(file, options, { PORT: port }, port)
  ]
  taken.close()
  return [...first, ...(await stream.ended), ...second, ...failed.flat()]
}

/** Runs and uses the programs on PostgreSQL, and answers what went wrong, also with the tables of the application. */
export const embeddedOnPostgres = async (options) => {
  const database = launch("node", ["out/embedding/database.js"], options)
  try {
    const started = new Promise((resolve) => database.child.stdout.once("data", resolve))
    const url = await Promise.race([started, database.ended.then(() => undefined)])
    if (url === undefined) return [`the database does not start:\n${database.output()}`]
    const { privateKey } = generateKeyPairSync("ed25519")
    const env = {
      DATABASE_URL: url.trim(),
      TOKEN_KEYS: `1:${randomBytes(32).toString("base64url")}`,
      ISSUER_KEY: JSON.stringify(privateKey.export({ format: "jwk" }))
    }
    const faults = []
    for (const program of onPostgres) faults.push(...(await usedTwice(program, { ...options, env })))
    database.signal("SIGTERM")
    const code = await database.ended
    return code === 0 ? faults : [...faults, `the application's tables changed:\n${database.output()}`]
  } finally {
    database.signal("SIGKILL")
  }
}
