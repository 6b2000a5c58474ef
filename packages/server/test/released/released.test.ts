/** What each released version wrote has the same answers in this version. */
import * as NodeServices from "@effect/platform-node/NodeServices"
import { layer } from "@effect/vitest"
import { EmbeddedPostgres } from "@sojourn/embedded-postgres"
import * as Effect from "effect/Effect"
import * as FileSystem from "effect/FileSystem"
import * as Layer from "effect/Layer"
import { readdirSync, readFileSync } from "node:fs"
import { fileURLToPath } from "node:url"
import { expect } from "vitest"
import { makeRelease, serveRelease } from "./releases.ts"
import type { Answer, World } from "./world.ts"

const folder = fileURLToPath(new URL(".", import.meta.url))
const released = readdirSync(folder).flatMap((file) => /^(.*)\.backup$/.exec(file)?.[1] ?? [])

const counterOf = (body: unknown) => (body as { readonly counter: number }).counter

/** Versions that answered plain ids of stays in access lists. Later ones answer encrypted ids, which never change. */
const WITH_PLAIN_IDS = ["0.1.0"]

/** A list of accesses without their ids. */
const withoutIds = (answer: Answer): Answer =>
  Array.isArray(answer.body) ? { ...answer, body: answer.body.map(({ id: _, ...access }) => access) } : answer

/** The answers that this version must give about a version's world. */
const expected = (version: string, world: World): World =>
  WITH_PLAIN_IDS.includes(version)
    ? {
        ...world,
        reads: world.reads.map((read) =>
          read.path.startsWith("/access/") ? { ...read, answer: withoutIds(read.answer) } : read
        )
      }
    : world

/** Restores a version's backup, and compares this version's answers with that version's. */
const lives = Effect.fnUntraced(function* (file: string, { inside, reads }: World) {
  const ask = yield* serveRelease(file)
  yield* Effect.promise(async () => {
    for (const { who, path, answer } of reads) {
      // Later versions may add members, but not remove or change any.
      expect(await ask(who, "GET", path), path).toMatchObject(answer)
    }
    for (const { who, path, exit } of inside) {
      expect(await ask(who, "POST", path, exit), path).toMatchObject({ status: 202 })
    }
    for (const { who, path, answer } of reads.filter(({ path }) => path.startsWith("/presence/"))) {
      const { body } = await ask(who, "GET", path)
      expect(counterOf(body), path).toBe(counterOf(answer.body) - 1)
    }
  })
})

layer(Layer.merge(EmbeddedPostgres.layerTemporary(), NodeServices.layer), {
  excludeTestServices: true
})("what a version wrote", (it) => {
  it.effect("has the same answers after a backup and a restore: this version", () =>
    Effect.gen(function* () {
      const files = yield* FileSystem.FileSystem
      const file = `${yield* files.makeTempDirectoryScoped({ prefix: "sojourn-released-" })}/backup`
      yield* lives(file, yield* makeRelease(file))
    })
  )

  for (const version of released) {
    it.effect(`has the same answers after a restore and an upgrade: ${version}`, () =>
      lives(
        `${folder}${version}.backup`,
        expected(version, JSON.parse(readFileSync(`${folder}${version}.json`, "utf8")) as World)
      )
    )
  }
})
