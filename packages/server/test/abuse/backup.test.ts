/** Manipulated backup files: each is refused as a whole and changes nothing. */
import * as NodeServices from "@effect/platform-node/NodeServices"
import { layer } from "@effect/vitest"
import { layerClient } from "@sojourn/adapter-postgres"
import { EmbeddedPostgres } from "@sojourn/embedded-postgres"
import { Effect, FileSystem, Layer } from "effect"
import * as SqlClient from "effect/sql/SqlClient"
import { createHash } from "node:crypto"
import { readdirSync, readFileSync, writeFileSync } from "node:fs"
import { gunzipSync, gzipSync } from "node:zlib"
import { expect } from "vitest"
import { restoreInto } from "../../src/backup/database.ts"
import { checkBackup } from "../../src/backup/read.ts"
import { backUpWorld } from "./world.ts"

type Json = Record<string, any>

/** The contents of a backup. */
interface Contents {
  head: Json
  readonly tables: Array<{ name: string; readonly rows: Array<any> }>
}

const rowsOf = ({ tables }: Contents, name: string): Array<any> => tables.find((table) => table.name === name)!.rows

const parse = (file: string): Contents => {
  const lines = gunzipSync(readFileSync(file)).toString("utf8").trimEnd().split("\n")
  const contents: Contents = { head: JSON.parse(lines[0]!.slice(1)), tables: [] }
  for (const line of lines.slice(1, -1)) {
    if (line.startsWith("#")) contents.tables.push({ name: JSON.parse(line.slice(1)).table, rows: [] })
    else contents.tables.at(-1)!.rows.push(JSON.parse(line))
  }
  return contents
}

/** A backup file with these lines and a valid checksum. */
const sealed = (lines: ReadonlyArray<string>, rows: number): Buffer => {
  const text = lines.map((line) => `${line}\n`).join("")
  const sha256 = createHash("sha256").update(text).digest("hex")
  return gzipSync(`${text}# ${JSON.stringify({ rows, sha256 })}\n`)
}

const linesOf = ({ head, tables }: Contents): ReadonlyArray<string> => [
  `# ${JSON.stringify(head)}`,
  ...tables.flatMap(({ name, rows }) => [
    `# ${JSON.stringify({ table: name })}`,
    ...rows.map((row) => (typeof row === "string" ? row : JSON.stringify(row)))
  ])
]

const write = (contents: Contents): Buffer =>
  sealed(
    linesOf(contents),
    contents.tables.reduce((sum, { rows }) => sum + rows.length, 0)
  )

/** Sets a value of the first row of a table. */
const set = (table: string, column: string, value: unknown) => (contents: Contents) =>
  void (rowsOf(contents, table)[0]![column] = value)
/** Sets the last value of a sequence. */
const sequence = (name: string, value: string) => (contents: Contents) =>
  void (contents.head["sequences"][name] = value)

/**
 * Manipulations of a valid backup, each with the expected refusal. `adapter-postgres/test/backup.test.ts` has one of each invariant that no
 * constraint enforces.
 */
const CHANGES: ReadonlyArray<readonly [what: string, change: (contents: Contents) => void, reason: RegExp]> = [
  [
    "two open stays of one person",
    (c) => {
      const inside = rowsOf(c, "open_stay").find(({ person }) => person !== null)!
      rowsOf(c, "open_stay").push({ ...inside, id: inside["id"] - 1 })
    },
    /open_stay_person/
  ],
  [
    "an organization without an owner",
    (c) => {
      for (const row of rowsOf(c, "permission")) row["level"] = "viewer"
    },
    /an organization without an owner/
  ],
  ["an exit before its entrance", set("stay", "exited_at", "2020-01-01T00:00:00Z"), /stay_check/],
  ["an id of the wrong kind", set("open_stay", "id", "1 or 1=1"), /bigint/],
  [
    "an id above 2^53-1",
    (c) => {
      c.head["sequences"]["stay_id"] = "9007199254740993"
      rowsOf(c, "open_stay")[0]!["id"] = 9007199254740994
    },
    /sequence stay_id/
  ],
  ["an area that is none", set("place", "tracking_area", "[1, 2]"), /a tracking area/],
  ["no sequences", (c) => void (c.head["sequences"] = {}), /no last value of the sequence/],
  ["a sequence at its end", sequence("place_id", "9007199254740991"), /no room/],
  ["a sequence beyond a bigint", sequence("place_id", "9999999999999999999"), /no room/],
  ["a table twice", (c) => void c.tables.push({ ...c.tables.find(({ rows }) => rows.length > 0)! }), /duplicate key/],
  ["rows before those that they refer to", (c) => void c.tables.reverse(), /foreign key/],
  [
    "the table of migrations",
    (c) => void c.tables.push({ name: "sojourn_migration", rows: [{ migration_id: 99 }] }),
    /does not know/
  ],
  [
    "SQL as the name of a table",
    (c) => void c.tables.push({ name: 'stay"; drop table stay; --', rows: [{}] }),
    /damaged/
  ],
  ["a row that is none", (c) => void rowsOf(c, "stay").push("[]"), /no row/],
  ["an empty row", (c) => void rowsOf(c, "stay").push(""), /no row/],
  ["a row that is no JSON", (c) => void rowsOf(c, "stay").push("{"), /json/],
  ["a schema of the future", (c) => void (c.head["schema"] = 10_000), /schema version 10000/],
  ["no schema", (c) => void (c.head["schema"] = 0), /damaged/],
  ["another format", (c) => void (c.head["sojournBackup"] = 2), /damaged/],
  ["control characters for the terminal", (c) => void (c.head["takenAt"] = "\u001b[2J"), /damaged/],
  [
    "other exit-token keys than those of the rows",
    (c) => {
      c.head["keys"]["exit-token-keys"] = `1:${Buffer.alloc(32, 7).toString("base64url")}\n`
    },
    /exit-token key 1 is not the one/
  ],
  ["exit-token keys that are none", (c) => void (c.head["keys"]["exit-token-keys"] = "1:short"), /holds keys|key/],
  ["an issuer's key that is none", (c) => void (c.head["keys"]["issuer-key.json"] = "{}"), /no key of the own issuer/]
]

const row = (size: number) => `{"name":"${"x".repeat(size)}"}`

/** Files without a valid backup structure, made from the lines of a backup. */
const FILES: ReadonlyArray<readonly [what: string, of: (whole: Buffer, lines: ReadonlyArray<string>) => Buffer]> = [
  ["half of a backup", (whole) => whole.subarray(0, whole.length >> 1)],
  ["a backup without its last byte", (whole) => whole.subarray(0, -1)],
  ["a backup and more", (whole) => Buffer.concat([whole, gzipSync("# {}\n")])],
  ["no backup", () => gzipSync("no backup\n")],
  ["nothing", () => Buffer.alloc(0)],
  ["a head alone", (_, [head]) => gzipSync(`${head}\n`)],
  ["two heads", (_, lines) => sealed([lines[0]!, ...lines], lines.length)],
  ["rows of no table", (_, [head]) => sealed([head!, "{}"], 1)],
  ["another number of rows", (_, lines) => sealed(lines, 1_000_000)],
  ["a line of 16 MiB", (_, [head]) => sealed([head!, '# {"table":"organization"}', row(16 * 1024 * 1024)], 1)],
  ["a mark of 16 MiB", (_, [head]) => sealed([head!, `# {"table":"${"x".repeat(16 * 1024 * 1024)}"}`], 0)],
  ["a line without an end", () => gzipSync(Buffer.alloc(64 * 1024 * 1024, 32))],
  ["a mark that is nested 100,000 times", (_, [head]) => sealed([head!, `# ${"[".repeat(100_000)}`], 0)]
]

layer(Layer.merge(EmbeddedPostgres.layerTemporary(), NodeServices.layer), {
  excludeTestServices: true
})("a crafted backup", (it) => {
  const scene = Effect.gen(function* () {
    const files = yield* FileSystem.FileSystem
    const folder = yield* files.makeTempDirectoryScoped({ prefix: "sojourn-crafted-" })
    yield* backUpWorld(`${folder}/whole`)
    const postgres = yield* EmbeddedPostgres
    const address = { ...postgres.connection, database: yield* postgres.temporaryDatabase() }
    const data = yield* files.makeTempDirectoryScoped({ prefix: "sojourn-crafted-data-" })
    /** Restores a file into an empty database and an empty data directory, and returns the outcome. */
    const restore = (file: Buffer) => {
      writeFileSync(`${folder}/crafted`, file)
      return Effect.flatMap(checkBackup(`${folder}/crafted`), (head) =>
        restoreInto({ address }, head, `${folder}/crafted`, data)
      )
    }
    const client = yield* Layer.build(layerClient(address, { maxConnections: 1 }))
    const tables = SqlClient.SqlClient.use(
      (sql) => sql`select relname from pg_class where relnamespace = current_schema()::regnamespace`
    ).pipe(Effect.provide(client))
    const refuses = Effect.fnUntraced(function* (what: string, file: Buffer, reason: RegExp) {
      const outcome = yield* Effect.result(restore(file))
      expect(outcome._tag, what).toBe("Failure")
      const { message } = (outcome as Extract<typeof outcome, { readonly _tag: "Failure" }>).failure
      expect(message, what).toMatch(reason)
      expect(message, what).not.toContain("the database cannot be used")
      // oxlint-disable-next-line no-control-regex -- it is what a terminal must not get
      expect(message, `${what} is one clear line`).not.toMatch(/[\u0000-\u001f]/)
      expect(yield* tables, what).toEqual([])
      expect(readdirSync(data), what).toEqual([])
    })
    return { whole: `${folder}/whole`, restore, refuses, database: client }
  })

  it.effect(
    "that is damaged, or violates an invariant, is refused, and changes neither the database nor the keys",
    () =>
      Effect.gen(function* () {
        const { whole, restore, refuses, database } = yield* scene
        const bytes = readFileSync(whole)
        const content = gunzipSync(bytes)
        const lines = linesOf(parse(whole))
        for (const [what, of] of FILES) yield* refuses(what, of(bytes, lines), /is no backup that can be restored/)
        for (let at = 0; at < bytes.length; at += Math.ceil(bytes.length / 16)) {
          const flipped = Buffer.from(bytes)
          flipped[at]! ^= 1 << (at % 8)
          // Some bits of a gzip member have no effect: of its header, and those that fill its last byte.
          if (gunzipped(flipped)?.equals(content)) continue
          yield* refuses(`bit ${at % 8} of byte ${at}`, flipped, /is no backup that can be restored/)
        }
        for (const [what, change, reason] of CHANGES) {
          const contents = parse(whole)
          change(contents)
          yield* refuses(what, write(contents), reason)
        }
        // Names of key files are not paths: unknown names are not written. Forged bounds of areas are replaced by those that the areas have.
        const contents = parse(whole)
        contents.head["keys"]["../../evil"] = "evil"
        contents.head["sequences"]["pg_class"] = "1"
        const measures = ({ west, east, south, north, area_points }: Json) => ({
          west,
          east,
          south,
          north,
          area_points
        })
        const genuine = rowsOf(contents, "place").map(measures)
        for (const place of rowsOf(contents, "place")) {
          Object.assign(place, { west: 179, east: 179.5, south: -89, north: -88.5, area_points: 2_000_000_000 })
        }
        expect(yield* restore(write(contents))).toBeGreaterThan(0)
        const sql = yield* Effect.provide(SqlClient.SqlClient, database)
        expect(
          yield* sql`select west, east, south, north, area_points from place order by organization_id, id`
        ).toEqual(genuine)
      })
  )
})

const gunzipped = (file: Buffer): Buffer | undefined => {
  try {
    return gunzipSync(file)
  } catch {
    return undefined
  }
}
