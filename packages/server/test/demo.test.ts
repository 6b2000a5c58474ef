/** What a first user sees: `serve --demo`, as a process. */
import { execFileSync } from "node:child_process"
import { readFileSync, statSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { expect, it } from "vitest"
import { temporaryFolder } from "./folders.ts"
import { eventually } from "./faults/eventually.ts"
import { program } from "./faults/SojournProcess.ts"
import { runHere } from "./runHere.ts"

const root = temporaryFolder()

const WEEK = 7 * 24 * 60 * 60_000

const start = async (data: string, ...flags: ReadonlyArray<string>) => {
  const server = program("serve", "--demo", "--port", "0", "--data", join(root, data), ...flags)
  return { server, url: await server.listening, commands: join(root, data, "demo-commands.sh") }
}

/** The link to the page that a server printed, and what it holds. */
const linkOf = (out: string) => {
  const link = /^Open the page: +(http:\S+)$/m.exec(out)?.[1] ?? ""
  return { link, held: new URLSearchParams(link.slice(link.indexOf("#") + 1)) }
}

const read = async (url: string, token: string | null) =>
  (await fetch(url, { headers: { authorization: `Bearer ${token}` } })).json()

it("prints three lines before it listens, logs nothing else, and its crowd leaves when it ends", async () => {
  const { server, url, commands } = await start("embedded")
  const { link, held } = linkOf(server.said())
  const organization = held.get("organization")
  const counter = `${url}/presence/organization/${organization}/counter`
  const count = async () => (await read(counter, held.get("token"))).counter
  await eventually("a crowd is inside", async () => (await count()) > 80)
  const first = await count()
  await eventually("the crowd moves", async () => (await count()) !== first)

  const range = `step=hour&from=${new Date(Date.now() - WEEK).toISOString()}&to=${new Date().toISOString()}`
  const places = await read(`${url}/place/organization/${organization}`, held.get("token"))
  expect(places).toHaveLength(15)
  const upstairs = await read(`${url}/place/organization/${organization}?level=1`, held.get("token"))
  expect(upstairs.map(({ name }: { name: string }) => name)).toEqual(["Library, first floor", "Reading room"])
  const devices = await read(`${url}/device/organization/${organization}`, held.get("token"))
  expect(devices).toMatchObject([
    { name: "Library entrance", state: "ok" },
    { name: "Cafeteria door", state: "ok" }
  ])
  const { counted } = await read(`${url}/presence/organization/${organization}/counted`, held.get("token"))
  expect(counted).toBeGreaterThan(0)
  for (const path of [`organization/${organization}`, ...places.map(({ id }: { id: number }) => `place/${id}`)]) {
    const rows = await read(`${url}/presence/${path}/history?${range}`, held.get("token"))
    expect(rows.length).toBeGreaterThanOrEqual(7 * 24)
    expect(rows.filter(({ entered }: { entered: number }) => entered > 0).length).toBeGreaterThan(7 * 4)
  }

  const { id, name } = await read(`${url}/organization/${organization}`, held.get("token"))
  expect([String(id), name]).toEqual([organization, "Demo Campus"])

  const { code, out, err } = await server.end()
  expect(code).toBe(0)
  expect(out).toBe(
    `Open the page:    ${link}\nPaste commands:   ${commands}\nStop the server:  Ctrl-C\nlistening on ${url}\n`
  )
  expect(link.startsWith(`${url}/#token=`)).toBe(true)
  expect(statSync(commands).mode & 0o777).toBe(0o600)
  // The first request that is logged is this test's.
  const before = err.slice(0, err.search(/^.*\/presence\/organization\/:organizationId\/counter/m))
  expect(before).toBe("")

  const again = await start("embedded", "--demo-crowd", "0")
  const { held: later } = linkOf(again.server.said())
  expect(later.get("organization")).toBe(organization)
  expect(await read(counter.replace(url, again.url), later.get("token"))).toMatchObject({ counter: 0 })
  await again.server.end()

  // A data directory of a version without the campus.
  const mark = join(root, "embedded", "demo-loaded")
  expect(readFileSync(mark, "utf8")).toBe("museum\nworks\ncampus\n")
  writeFileSync(mark, "")
  const upgraded = await start("embedded", "--demo-crowd", "0")
  expect(linkOf(upgraded.server.said()).held.get("organization")).toBe(organization)
  await upgraded.server.end()
})

it("without a page it points to the documentation, and its file of commands can be run as a whole", async () => {
  const { server, commands } = await start("commands", "--storage", "memory", "--demo-crowd", "0", "--no-page")
  expect(server.said()).toMatch(/^Open the page: +http:\S+\/docs$/m)
  const out = execFileSync("sh", ["-e", commands], { encoding: "utf8" })
  expect(out).toMatch(/"movementType":1,"placeId":\d+/)
  expect(out).toMatch(/"organizationId":1,"counter":1\}[^]*"organizationId":1,"counter":0\}/)
  expect(out).toMatch(/"detail":".* This needs at least the level manager in the organization\."\}\nstatus 403/)
  expect(out).toMatch(/\{"organizationId":2,"counter":1\}\n$/)
  expect((await server.end()).err).toMatch(/^storage in memory: everything is forgotten when the server ends\n/)
})

it.each(["-1", "many", "10001", "1.5"])("refuses a crowd of %s", async (size) => {
  const { code, err } = await runHere(["serve", "--demo", "--demo-crowd", size, "--data", join(root, "no")])
  expect(code).toBe(1)
  expect(err).toBe(`sojourn: --demo-crowd is a number of people from 0 to 10000: ${size}\n`)
})
