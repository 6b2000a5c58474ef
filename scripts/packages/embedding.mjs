/** The packages in programs of others: the files of `docs/start/embed.md` and of the README of adapter-postgres. */
import { generateKeyPairSync, randomBytes } from "node:crypto"
import { once } from "node:events"
import { readFileSync, writeFileSync } from "node:fs"
import { createServer } from "node:net"
import { join } from "node:path"
import { at } from "../workspace/paths.mjs"
import { launch, serving, started } from "./processes.mjs"

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

const pages = [at("docs", "start", "embed.md"), at("packages", "adapter-postgres", "README.md")]

/** The servers in memory, and those on PostgreSQL; `next.ts` of the consumer serves the page's `route.ts`. */
const inMemory = ["hono.ts", "express.ts", "fastify.ts", "nest.ts"]
const onPostgres = ["postgres.ts", "app.ts", "hono-postgres.ts", "next.ts"]

/** Writes the files of the pages into a folder of the project: `<!-- file: hono.ts -->` stands before a block. */
export const writeEmbedding = (folder) => {
  const block = /<!-- file: (\S+) -->\n\n```(?:ts|json)\n([\s\S]*?)\n```\n/g
  for (const page of pages) {
    for (const [, name, text] of readFileSync(page, "utf8").matchAll(block))
      writeFileSync(join(folder, name), `${text}\n`)
  }
  // Nest needs decorators, which the page says.
  const configuration = JSON.parse(readFileSync(join(folder, "tsconfig.json"), "utf8"))
  writeFileSync(join(folder, "tsconfig.json"), JSON.stringify({ ...configuration, exclude: ["nest.ts"] }))
}

/** Runs a program, uses it and ends it. Node runs what only has types to leave out, as the page says. */
const embedded = async (name, { env, ...options }) => {
  const taken = createServer().listen(0, "127.0.0.1")
  await once(taken, "listening")
  const port = String(taken.address().port)
  taken.close()
  const file = name === "nest.ts" ? "out/embedding/nest.js" : `embedding/${name}`
  const isAlone = name === "postgres.ts"
  const probe = inMemory.includes(name) ? "/inside" : isAlone ? "/health/ready" : "/presence/health/ready"
  const server = { ...options, env: { ...env, PORT: port }, address: `http://127.0.0.1:${port}`, probe }
  await serving(["node", file], server, (address) =>
    started("node", [isAlone ? "out/call.js" : "out/embedding/drive.js", address], { ...options, env })
  )
}

/** Runs and uses all of them. */
export const embedding = async (options) => {
  for (const name of inMemory) await embedded(name, options)
  const database = launch("node", ["out/embedding/database.js"], options)
  try {
    await Promise.race([once(database.child.stdout, "data"), database.ended])
    const [url] = /postgresql:\S+/.exec(database.output()) ?? []
    if (url === undefined) throw new Error(`the database does not start:\n${database.output()}`)
    const env = {
      DATABASE_URL: url,
      TOKEN_KEYS: `1:${randomBytes(32).toString("base64url")}`,
      ISSUER_KEY: JSON.stringify(generateKeyPairSync("ed25519").privateKey.export({ format: "jwk" }))
    }
    for (const name of onPostgres) await embedded(name, { ...options, env })
  } finally {
    database.signal("SIGTERM")
    await database.ended
  }
}
