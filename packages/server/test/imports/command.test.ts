/** The command `sojourn import` on a database, and through a server that holds its storage in memory. */
import { EmbeddedPostgres } from "@sojourn/embedded-postgres"
import { Context, Effect, Exit, Layer, Redacted, Scope } from "effect"
import { writeFileSync } from "node:fs"
import { join } from "node:path"
import { afterAll, describe, expect, it } from "vitest"
import { Progress } from "../../src/imports/Progress.ts"
import { programIn } from "../faults/SojournProcess.ts"
import { temporaryFolder } from "../folders.ts"
import { runHere } from "../runHere.ts"

const data = temporaryFolder()
const scope = Effect.runSync(Scope.make())
afterAll(() => Effect.runPromise(Scope.close(scope, Exit.void)))
const layer = EmbeddedPostgres.layerTemporary({ transport: "tcp" })
const postgres = Context.get(await Effect.runPromise(Layer.buildWithScope(layer, scope)), EmbeddedPostgres)
await Effect.runPromise(postgres.createDatabase("imports"))
const databaseUrl = Redacted.value(postgres.url("imports"))

const sojourn = (...args: ReadonlyArray<string>) =>
  runHere(args, { SOJOURN_DATA: data, SOJOURN_DATABASE_URL: databaseUrl })

const square = (x: number, y: number, side: number) => ({
  type: "Polygon",
  coordinates: [
    [
      [x, y],
      [x + side, y],
      [x + side, y + side],
      [x, y + side],
      [x, y]
    ]
  ]
})
const owned = (name: string) => [
  "--name",
  name,
  "--area",
  JSON.stringify(square(0, 0, 1)),
  "--owner",
  "ada",
  "--mail",
  "ada@example.org"
]
const organization = async (name: string) => (await sojourn("organization", "create", ...owned(name))).out.trim()

const fileOf = (name: string, text: string) => {
  const path = join(data, name)
  writeFileSync(path, text)
  return path
}

const counts =
  (...numbers: ReadonlyArray<number>) =>
  (names: ReadonlyArray<string>) =>
    names.map((name, n) => `${name}\t${numbers[n]}\n`).join("")
const places = (...numbers: ReadonlyArray<number>) => counts(...numbers)(["created", "skipped", "refused"])
const accesses = (...numbers: ReadonlyArray<number>) => counts(...numbers)(["imported", "skipped", "refused"])

const feature = (geometry: object, properties: object) => ({ type: "Feature", geometry, properties })
const ROOMS = fileOf(
  "rooms.geojson",
  JSON.stringify({
    type: "FeatureCollection",
    features: [
      feature(square(0.1, 0.1, 0.1), { name: "Room", parent: "Hall", capacity: 4 }),
      feature(square(0.1, 0.1, 0.5), { name: "Hall", level: 1 }),
      feature(square(0.1, 0.1, 2), { name: "Field" })
    ]
  })
)
const HEADER = "entranceTimestamp,exitTimestamp,placeName\n"
const row = (n: number) => `2026-01-01T0${n % 10}:00:00Z,2026-01-01T12:00:00Z,Room\n`
const rows = (from: number, to: number) => Array.from({ length: to - from }, (_, n) => row(from + n)).join("")

describe("sojourn import", () => {
  it("creates places and adds accesses, and repeats nothing", async () => {
    const id = await organization("Repeated")
    const trial = await sojourn("import", "places", "--organization", id, "--dry-run", ROOMS)
    expect([trial.code, trial.out]).toEqual([0, places(2, 0, 1)])
    const created = await sojourn("import", "places", "--organization", id, ROOMS)
    expect(created.out).toBe(places(2, 0, 1))
    expect(created.err).toMatch(/rooms\.geojson:2: The place is not inside the organization's area\./)
    expect((await sojourn("import", "places", "--organization", id, "--administrator", "ada", ROOMS)).out).toBe(
      places(0, 2, 1)
    )

    // Cut off after some rows, and repeated with all of them.
    const some = fileOf("some.csv", HEADER + rows(0, 30))
    expect((await sojourn("import", "accesses", "--organization", id, some)).out).toBe(accesses(30, 0, 0))
    const all = fileOf(
      "all.csv",
      `${HEADER}${rows(0, 50)}2026-01-01T00:00:00Z,,Room\n2026-01-01T00:00:00Z,2026-01-01T01:00:00Z,"x\n`
    )
    const { out, err } = await sojourn("import", "accesses", "--organization", id, all)
    expect(out).toBe(accesses(20, 30, 2))
    expect(err).toMatch(/all\.csv:51: exitTimestamp is missing\n/)
    expect(err).toMatch(/all\.csv:52: a quote is not closed\n/)
    expect((await sojourn("import", "accesses", "--organization", id, all)).out).toBe(accesses(0, 50, 2))
  })

  it("says in one line what is wrong", async () => {
    const id = await organization("Wrong")
    const empty = fileOf("empty.csv", "a,b\n")
    const cases = [
      [
        ["accesses", "--organization", id, empty],
        /^sojourn: .*empty\.csv: the first row names no entranceTimestamp and no exitTimestamp$/
      ],
      [["accesses", "--organization", id, join(data, "missing")], /^sojourn: .*missing: ENOENT/],
      [["accesses", "--organization", "999", ROOMS], /^sojourn: The organization does not exist\.$/],
      [["places", "--organization", "999", ROOMS], /^sojourn: The organization does not exist\.$/],
      [["places", "--organization", id, "--administrator", "bob", ROOMS], /^sojourn: .*at least the level/],
      [["places", "--organization", id, empty], /^sojourn: .*empty\.csv: Expected a valid JSON body$/],
      [["places", "--organization", "x", ROOMS], /^sojourn: --organization is malformed: x$/]
    ] as const
    for (const [args, line] of cases) {
      const { code, out, err } = await sojourn("import", ...args)
      expect([code, out], args.join(" ")).toEqual([1, ""])
      expect(err.trim().split("\n").at(-1)).toMatch(line)
    }
  })

  it("works through a server that holds its storage in memory", async () => {
    const server = programIn({ SOJOURN_DATA: data }, "serve", "--port", "0", "--storage", "memory")
    const inMemory = async (...args: ReadonlyArray<string>) =>
      runHere(args, { SOJOURN_DATA: data, SOJOURN_STORAGE: "memory", SOJOURN_SERVER: await server.listening })
    const id = (await inMemory("organization", "create", ...owned("Museum"))).out.trim()
    expect((await inMemory("import", "places", "--organization", id, ROOMS)).err).toMatch(/--administrator is missing/)
    expect((await inMemory("import", "places", "--organization", id, "--administrator", "ada", ROOMS)).out).toBe(
      places(2, 0, 1)
    )
    const file = fileOf("memory.csv", HEADER + rows(0, 10))
    expect((await inMemory("import", "accesses", "--organization", id, file)).out).toBe(accesses(10, 0, 0))
    await server.end()
  })
})

describe("progress", () => {
  const shown = (isTTY: boolean) => {
    let text = ""
    const progress = new Progress(200, { isTTY, columns: 60, write: (piece) => void (text += piece) })
    for (const done of [1, 21, 25, 200]) progress.show(done, `${done} rows`)
    progress.clear()
    return text
  }

  it("is a bar on a terminal, and a line for each tenth elsewhere", () => {
    const clear = "\r\u001b[K"
    expect(shown(true)).toContain(`${clear}[###---------------------------]  10 %  21 rows${clear}[`)
    expect(shown(true).endsWith(clear)).toBe(true)
    expect(shown(false)).toBe("10 %: 21 rows\n100 %: 200 rows\n")
  })
})
