/** Backup and restore as docs/operations.md describes them, on real processes, while users enter and leave. */
import { layerCredentialsOfCaller, makeClient, Credentials } from "@sojourn/adapter-http/client"
import { OwnIssuer } from "@sojourn/adapter-jwt"
import { Administrator, AdministratorId, type Caller, Mail, Operator, OperatorId, User, UserId } from "@sojourn/core"
import * as Effect from "effect/Effect"
import * as FetchHttpClient from "effect/http/FetchHttpClient"
import { readFileSync, statSync, writeFileSync, existsSync } from "node:fs"
import { join } from "node:path"
import { gunzipSync } from "node:zlib"
import { afterAll, expect, it } from "vitest"
import { temporaryFolder } from "./folders.ts"
import { sojourn, type SojournProcess } from "./faults/SojournProcess.ts"

const folder = temporaryFolder()
const running = new Set<SojournProcess>()
afterAll(async () => {
  for (const process of running) process.kill("SIGTERM")
  await Promise.all([...running].map(({ ended }) => ended))
})

const serve = async (data: string) => {
  const server = sojourn("serve", "--port", "0", "--data", data, "--request-log", "off")
  running.add(server)
  void server.ended.then(() => running.delete(server))
  return { server, baseUrl: await server.listening }
}

const AREA = '{"type":"Polygon","coordinates":[[[0,0],[1,0],[1,1],[0,0]]]}'
const OWNER = { administratorId: AdministratorId.make("owner"), mail: Mail.make("owner@example.org") }

/** A client that calls a server as users whose tokens are signed with the issuer's key in a data directory. */
const callers = async (baseUrl: string, data: string) => {
  const stored: unknown = JSON.parse(readFileSync(join(data, "issuer-key.json"), "utf8"))
  const key = await Effect.runPromise(OwnIssuer.decode(stored))
  const client = await Effect.runPromise(
    Effect.provide(makeClient(baseUrl), [layerCredentialsOfCaller, FetchHttpClient.layer])
  )
  const as =
    (caller: Caller) =>
    <A, E>(call: Effect.Effect<A, E>): Promise<A> =>
      Effect.flatMap(OwnIssuer.mint(key, caller, { expiresIn: 3600 }), (token) =>
        Effect.provideService(call, Credentials, token)
      ).pipe(Effect.runPromise)
  return {
    client,
    asOperator: as(Operator(OperatorId.make("operator"))),
    asOwner: as(Administrator(OWNER.administratorId, OWNER.mail)),
    asUser: as(User(UserId.make("user")))
  }
}

it("a backup taken under load restores one consistent snapshot, and exit tokens issued before it still work", async () => {
  const [data, restored, file] = ["data", "restored", "backup"].map((name) => join(folder, name)) as [
    string,
    string,
    string
  ]
  const first = await serve(data)
  const { client, asOperator, asUser } = await callers(first.baseUrl, data)
  const payload = { name: "Museum", trackingArea: AREA, trackingMode: "anonymous", owner: OWNER } as const
  const { id: organizationId } = await asOperator(client.operator.createOrganization({ payload }))
  const entrance = { headers: {}, payload: { organizationId, movementType: "entrance" } } as const
  const exit = (exitToken: string) =>
    ({ headers: {}, payload: { organizationId, movementType: "exit", exitToken } }) as const
  const enter = () => asUser(client.movement.trackOrganization(entrance)).then(({ exitToken }) => exitToken)
  const leave = (token: string) => asUser(client.movement.trackOrganization(exit(token)))

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
  const taken = await sojourn("backup", "--data", data, "--to", file).ended
  expect(taken, taken.err).toMatchObject({ code: 0, err: "" })
  over.abort()
  await crowd
  expect(meanwhile).toBeGreaterThan(0)
  const late = await Promise.all(Array.from({ length: 20 }, enter))
  first.server.kill("SIGKILL")
  await first.server.ended

  expect(statSync(file).mode & 0o777).toBe(0o600)
  const lines = gunzipSync(readFileSync(file)).toString("utf8").split("\n")
  const inside = lines.slice(lines.indexOf('# {"table":"open_stay"}') + 1).findIndex((line) => line.startsWith("#"))
  expect(inside).toBeGreaterThanOrEqual(stays.length)

  const again = await sojourn("restore", "--data", restored, "--from", file).ended
  expect(again, again.err).toMatchObject({ code: 0, err: "" })
  const second = await serve(restored)
  const now = await callers(second.baseUrl, restored)
  const counter = () =>
    now.asOwner(now.client.presence.organizationCounter({ params: { organizationId } })).then((read) => read.counter)
  const tracked = (token: string) =>
    now.asUser(Effect.result(now.client.movement.trackOrganization(exit(token)))).then((result) => result._tag)
  expect(await counter()).toBe(inside)
  const accesses = await now.asUser(
    now.client.access.organizationAnonymous({ params: { organizationId, exitTokens: gone.join() } })
  )
  expect(accesses?.map(({ exitToken }) => exitToken).sort()).toEqual([...gone].sort())

  // Tokens issued after the backup are lost, even when as many users have entered since the restore.
  const newcomers = await Promise.all(
    Array.from({ length: 60 }, () => now.asUser(now.client.movement.trackOrganization(entrance)))
  )
  expect(new Set(await Promise.all(late.map(tracked)))).toEqual(new Set(["Failure"]))
  expect(await counter()).toBe(inside + newcomers.length)
  expect(new Set(await Promise.all(stays.map(tracked)))).toEqual(new Set(["Success"]))
  expect(new Set(await Promise.all(newcomers.map(({ exitToken }) => tracked(exitToken))))).toEqual(new Set(["Success"]))
  expect(await counter()).toBe(inside - stays.length)
  second.server.kill("SIGTERM")
  await second.server.ended

  const full = await sojourn("restore", "--data", restored, "--from", file).ended
  expect(full).toMatchObject({ code: 1, err: expect.stringContaining("the database is not empty") })

  // A truncated file is refused before anything is created.
  const whole = readFileSync(file)
  const untouched = join(folder, "untouched")
  writeFileSync(`${file}.damaged`, whole.subarray(0, -1))
  const refused = await sojourn("restore", "--data", untouched, "--from", `${file}.damaged`).ended
  expect(refused).toMatchObject({ code: 1, err: expect.stringContaining("is no backup that can be restored") })
  expect(existsSync(untouched)).toBe(false)
})
