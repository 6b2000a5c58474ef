/** The server refuses to start on an unsuitable database: one line on stderr, and exit code 1. */
import { layerClient, migrate } from "@sojourn/adapter-postgres"
import { Effect } from "effect"
import { describe, expect, it } from "vitest"
import { temporaryFolder } from "../folders.ts"
import { forThisFile } from "../forThisFile.ts"
import { expectRefusal } from "../refusal.ts"
import { runHere } from "../runHere.ts"
import { execute } from "./audit.database.ts"
import { postgresHost } from "./PostgresHost.ts"
import { sojourn } from "./SojournProcess.ts"

const NEWER = ["insert into sojourn_migration (migration_id, name) values (9999, 'of_the_future')"]

const data = temporaryFolder()
const postgres = forThisFile(await postgresHost())

const argsOf = (url: string, ...flags: ReadonlyArray<string>) => [
  "serve",
  "--storage",
  "postgres",
  "--database-url",
  url,
  "--data",
  data,
  "--port",
  "0",
  ...flags
]
const serve = (database: string, ...flags: ReadonlyArray<string>) =>
  sojourn(...argsOf(postgres.url(database), ...flags))
const refused = (database: string, ...flags: ReadonlyArray<string>) => runHere(argsOf(postgres.url(database), ...flags))

const migrated = async (database: string) => {
  await postgres.create(database)
  await Effect.runPromise(Effect.provide(migrate, layerClient(postgres.direct(database))))
}

describe.concurrent("sojourn serve refuses, with exit code 1 and one line,", () => {
  it("a schema of a newer version, which it does not change", async () => {
    await migrated("newer")
    await execute(postgres.direct("newer"), NEWER)
    expectRefusal(await refused("newer"), /schema version 9999.*upgrade/)
  })

  it("an empty database with --no-migrate", async () => {
    await postgres.create("empty")
    expectRefusal(await refused("empty", "--no-migrate"), /schema version 0.*sojourn migrate/)
  })

  it("token keys other than those of the database", async () => {
    await postgres.create("used")
    const key = (letter: string) => ["--token-keys", `1:${letter.repeat(43)}`]
    const first = serve("used", ...key("A"))
    await first.listening
    expectRefusal(await refused("used", ...key("B")), /exit-token key 1 is not the one/)
    first.kill("SIGTERM")
    expect((await first.ended).code).toBe(0)
  })

  it("a database that does not exist, and a wrong password", async () => {
    expectRefusal(await refused("nowhere"), /nowhere|cannot be used/)
    const url = new URL(postgres.url("postgres"))
    url.password = "wrong"
    const ended = await runHere(argsOf(url.href))
    expectRefusal(ended, /cannot be used/)
    expect(ended.err).not.toContain(new URL(postgres.url("postgres")).password)
  })
})

describe("a database that is not reachable when the server starts", () => {
  it("and then has a schema of a newer version: the server prints this and exits with 1", async () => {
    await migrated("later")
    await execute(postgres.direct("later"), NEWER)
    await postgres.wire.refuse()
    const server = serve("later")
    await server.listening
    await postgres.wire.listen()
    const { code, err } = await server.ended
    expect(code).toBe(1)
    expect(err).toMatch(/^sojourn: [^\n]*schema version 9999[^\n]*$/m)
  })
})
