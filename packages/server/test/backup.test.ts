/** Backup and restore as docs/operations.md describes them, on real processes, while users enter and leave. */
import { existsSync, readFileSync, statSync, utimesSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { gunzipSync } from "node:zlib"
import { expect, it, onTestFinished } from "vitest"
import { want, whole } from "./fixtures.ts"
import { temporaryFolder } from "./folders.ts"
import { forThisFile } from "./forThisFile.ts"
import { makeClient } from "./faults/client.ts"
import { keyIn } from "./faults/scene.ts"
import { sojourn } from "./faults/SojournProcess.ts"
import { fixturesOn } from "./faults/town.ts"
import { runHere } from "./runHere.ts"

const client = forThisFile(makeClient())
const folder = temporaryFolder()

const serve = async (data: string) => {
  const server = sojourn("serve", "--port", "0", "--data", data, "--request-log", "off")
  onTestFinished(async () => void (await server.end()))
  const baseUrl = await server.listening
  return { ...fixturesOn(client, () => baseUrl, await keyIn(data)), server }
}

it("a backup taken under load restores one consistent snapshot, and exit tokens issued before it still work", async () => {
  const [data, restored, file] = ["data", "restored", "backup"].map((name) => join(folder, name)) as [
    string,
    string,
    string
  ]
  const first = await serve(data)
  const where = whole((await first.organization()).id)
  const user = first.sojourn.user("user")
  const enter = async (): Promise<string> => want(await first.enter(user, where), 201).json.exitToken
  const leave = async (token: string) => want(await first.leave(user, where, token), 202)

  const stays = await Promise.all(Array.from({ length: 20 }, enter))
  const gone = await Promise.all(Array.from({ length: 20 }, enter))
  await Promise.all(gone.map(leave))

  const over = new AbortController()
  let meanwhile = 0
  const crowd = Promise.all(
    Array.from({ length: 4 }, async () => {
      for (; !over.signal.aborted; meanwhile++) await leave(await enter())
    })
  )
  // What a backup that was killed two hours ago left, and one that is written now.
  const [killed, current] = [`${file}.1.a.part`, `${file}.1.b.part`]
  for (const part of [killed, current]) writeFileSync(part, "")
  utimesSync(killed, new Date(), new Date(Date.now() - 2 * 60 * 60_000))
  const taken = await sojourn("backup", "--data", data, "--to", file).ended
  expect(taken, taken.err).toMatchObject({ code: 0, err: "" })
  over.abort()
  await crowd
  expect(meanwhile).toBeGreaterThan(0)
  const late = await Promise.all(Array.from({ length: 20 }, enter))
  first.server.kill("SIGKILL")
  await first.server.ended

  expect([killed, current].map((part) => existsSync(part))).toEqual([false, true])
  expect(statSync(file).mode & 0o777).toBe(0o600)
  const lines = gunzipSync(readFileSync(file)).toString("utf8").split("\n")
  const inside = lines.slice(lines.indexOf('# {"table":"open_stay"}') + 1).findIndex((line) => line.startsWith("#"))
  expect(inside).toBeGreaterThanOrEqual(stays.length)

  const done = await sojourn("restore", "--data", restored, "--from", file).ended
  expect(done, done.err).toMatchObject({ code: 0, err: "" })
  const second = await serve(restored)
  const again = second.sojourn.user("user")
  const tracked = async (token: string) => (await second.leave(again, where, token)).status
  expect(await second.inside(where)).toBe(inside)
  const accesses = want(await second.anonymous(again, where, gone.join()), 200).json
  expect(accesses.map(({ exitToken }: { exitToken: string }) => exitToken).sort()).toEqual([...gone].sort())

  // Tokens issued after the backup are lost, even when as many users have entered since the restore.
  const newcomers = await Promise.all(Array.from({ length: 60 }, () => second.enter(again, where)))
  expect(new Set(await Promise.all(late.map(tracked)))).toEqual(new Set([400]))
  expect(await second.inside(where)).toBe(inside + newcomers.length)
  expect(new Set(await Promise.all(stays.map(tracked)))).toEqual(new Set([202]))
  expect(new Set(await Promise.all(newcomers.map(({ json }) => tracked(json.exitToken))))).toEqual(new Set([202]))
  expect(await second.inside(where)).toBe(inside - stays.length)
  second.server.kill("SIGTERM")
  await second.server.ended

  const full = await runHere(["restore", "--data", restored, "--from", file])
  expect(full).toMatchObject({ code: 1, err: expect.stringContaining("the database is not empty") })

  // A truncated file is refused before anything is created.
  const bytes = readFileSync(file)
  const untouched = join(folder, "untouched")
  writeFileSync(`${file}.damaged`, bytes.subarray(0, -1))
  const refused = await runHere(["restore", "--data", untouched, "--from", `${file}.damaged`])
  expect(refused).toMatchObject({ code: 1, err: expect.stringContaining("is no backup that can be restored") })
  expect(existsSync(untouched)).toBe(false)
})
