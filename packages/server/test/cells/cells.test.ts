/** A service over three cells, as an operator makes it: two schemas of one PostgreSQL, and another PostgreSQL that is lost for a while. */
import { readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { expect, it } from "vitest"
import { makeEventStreams } from "../eventStream.ts"
import { makeClient } from "../faults/client.ts"
import { eventually } from "../faults/eventually.ts"
import { postgresHost } from "../faults/PostgresHost.ts"
import { serverGroup } from "../faults/ServerGroup.ts"
import { sojourn, type SojournProcess } from "../faults/SojournProcess.ts"
import { fixturesOn } from "../faults/town.ts"
import { unique, want, whole } from "../fixtures.ts"
import { forThisFile } from "../forThisFile.ts"

const group = forThisFile(await serverGroup())
const elsewhere = forThisFile(await postgresHost())
await elsewhere.create("sojourn")
const client = forThisFile(makeClient())
const file = join(group.data, "cells.json")
let server: SojournProcess
let baseUrl: string
const fixtures = fixturesOn(client, () => baseUrl, await group.key())

/** Runs a command on the storage of the servers. */
const command = async (...args: ReadonlyArray<string>) => {
  const { code, out, err } = await sojourn(...args, ...group.storage).ended
  return { code, lines: out.trim().split("\n"), err: err.trim() }
}

const serve = async (...flags: ReadonlyArray<string>) => {
  server = group.start("--cells", file, ...flags)
  baseUrl = await server.listening
}

/** The cell of an id. */
const cellOf = (id: number) => Math.floor(id / 2 ** 45)

/** An organization in each cell. */
const organizations: Array<{ readonly id: number; readonly name: string }> = []

it("cells are added to a service that has none, and listed", async () => {
  const before = group.start()
  baseUrl = await before.listening
  organizations.push(await fixtures.organization())
  await before.end()

  const added = await command("cells", "add", "1", "--cells", file)
  expect([added.code, added.lines]).toEqual([0, [`cell 1 is in ${file}: start all servers again with it`]])
  const url = elsewhere.url("sojourn")
  const other = ["--cell-url", url, "--cell-schema", "far", "--cell-weight", "2"]
  expect(await command("cells", "add", "2", "--cells", file, ...other)).toMatchObject({ code: 0 })
  expect(JSON.parse(readFileSync(file, "utf8"))).toEqual({
    cells: [{ number: 0 }, { number: 1, weight: 0 }, { number: 2, url, schema: "far", weight: 2 }]
  })
  const { lines } = await command("cells", "list", "--cells", file)
  const [home, far] = [new URL(group.postgres.url("sojourn")).host, new URL(url).host]
  expect(lines.map((line) => line.split("\t"))).toEqual([
    ["0", home, "sojourn", "weight 1", "1 organizations", "there"],
    ["1", home, "sojourn_cell_1", "weight 0", "0 organizations", "there"],
    ["2", far, "far", "weight 2", "0 organizations", "there"]
  ])
})

it("what cannot be meant is refused in one line, and changes nothing", async () => {
  const stored = readFileSync(file, "utf8")
  const refusal = async (...args: ReadonlyArray<string>) => {
    const { code, err } = await command(...args)
    expect([code, err.split("\n").length], err).toEqual([1, 1])
    return err
  }
  expect(await refusal("cells", "add", "1", "--cells", file)).toContain("has cell 1 already")
  expect(await refusal("cells", "add", "256", "--cells", file)).toContain("from 0 to 255: 256")
  expect(await refusal("cells", "add", "7", "--cells", file, "--cell-url", "mysql://x")).toContain("postgresql://")
  // A schema that is another cell's.
  expect(await refusal("cells", "add", "7", "--cells", file, "--cell-schema", "sojourn_cell_1")).toContain(
    "two cells have the same schema"
  )
  expect(readFileSync(file, "utf8")).toBe(stored)

  const wrong = (cells: unknown) => {
    const other = join(group.data, "wrong.json")
    writeFileSync(other, typeof cells === "string" ? cells : JSON.stringify({ cells }))
    return refusal("serve", "--port", "0", "--cells", other)
  }
  const secret = "postgresql://user:secret@localhost/x"
  expect(await refusal("serve", "--port", "0", "--cells", `${file}.x`)).toContain("there is no such file")
  expect(await wrong(`{"cells": [{"number": 0, "url": "${secret}"`)).not.toContain("secret")
  expect(await wrong([{ number: "0", url: secret }])).not.toContain("secret")
  expect(await wrong([{ number: 1 }])).toContain("cell 0 is missing")
  expect(await wrong([{ number: 0 }, { number: 3 }, { number: 3 }])).toContain("cell 3 is there twice")
  expect(await wrong([{ number: 0, url: secret }])).toContain("cell 0 has a url, and so does --database-url")
  expect(await wrong([{ number: 0, url: secret, citus: true }])).toContain("the home cell cannot be on Citus")
  expect(await wrong([{ number: 0 }, { number: 3, citus: true }])).toContain("the url of the coordinator")
  expect(await wrong([{ number: 0 }, { number: 3, url: secret, citus: true, pooled: true }])).toContain("no pooler")
  // The schema of cell 1 under another number.
  expect(await wrong([{ number: 0 }, { number: 5, schema: "sojourn_cell_1" }])).toContain("issued ids of cell 1")
})

it("organizations go to cells by weight, and one service answers for all", async () => {
  const entries = JSON.parse(readFileSync(file, "utf8"))
  entries.cells[1].weight = 1
  writeFileSync(file, JSON.stringify(entries))
  await serve()
  // The home cell has one: of the next seven two go to cell 1, and four to cell 2.
  for (let n = 0; n < 7; n++) organizations.push(await fixtures.organization())
  const perCell = Map.groupBy(organizations, ({ id }) => cellOf(id))
  expect([0, 1, 2].map((cell) => perCell.get(cell)?.length)).toEqual([2, 2, 4])

  const taken = { ...fixtures.draft(), name: perCell.get(2)![0]!.name }
  want(await fixtures.post(fixtures.operator, "/operator/organization", taken), 400)
  const { json: listed } = want(await fixtures.get(fixtures.sojourn.user(unique("reader")), "/organization"), 200)
  expect(listed.map(({ id }: { id: number }) => id)).toEqual(organizations.map(({ id }) => id).sort((a, b) => a - b))
  for (const { id } of organizations) {
    const user = fixtures.sojourn.user(unique("visitor"))
    const { exitToken } = want(await fixtures.enter(user, whole(id)), 201).json
    const counter = await fixtures.get(fixtures.owner, `/presence/organization/${id}/counter`)
    expect(want(counter, 200).json).toMatchObject({ counter: 1 })
    want(await fixtures.track(user, whole(id), { movementType: -1, exitToken }), 202)
  }
})

it("without its cells the service does not start", async () => {
  const { code, err } = await command("serve", "--port", "0")
  expect([code, err]).toEqual([1, expect.stringContaining("the schema is one of several cells: name them all")])
})

/** What is asked of an organization, and the status of each. */
const ask = async (id: number) => {
  const user = fixtures.sojourn.user(unique("visitor"))
  const paths = [`/organization/${id}`, `/presence/organization/${id}/counter`, `/place/organization/${id}`]
  const read = await Promise.all(paths.map((path) => fixtures.get(fixtures.owner, path)))
  const entered = await fixtures.enter(user, whole(id))
  const changed = await fixtures.put(fixtures.owner, "/organization", { id, description: unique("words") })
  return [...read, entered, changed].map(({ status }) => status)
}

it.each(["stopped", "frozen"])(
  "a cell that is %s is 503 for its own organizations alone, and found again",
  async (how) => {
    const [home, beside, lost] = [0, 1, 2].map((cell) => organizations.find(({ id }) => cellOf(id) === cell)!.id) as [
      number,
      number,
      number
    ]
    const viewer = fixtures.sojourn.administrator(unique("viewer"))
    for (const id of [home, beside]) await fixtures.bind(id, viewer, "viewer")
    const user = fixtures.sojourn.user(unique("fan"))
    const favorite = (id: number) =>
      fixtures.post(user, "/favorite/addfavorite", { userId: user.id, organizationId: id })
    want(await favorite(beside), 201)
    const device = { name: "Door", premises: [{ organization: true }] }
    const { json: door } = want(await fixtures.post(fixtures.owner, `/device/organization/${beside}`, device), 201)
    const counter = { ...user, token: Promise.resolve(door.token) }

    if (how === "stopped") await elsewhere.stop()
    else await elsewhere.pause()
    await eventually("its organizations are refused", async () => (await ask(lost)).every((status) => status === 503))
    for (let round = 0; round < 3; round++) {
      for (const id of [home, beside]) expect(await ask(id)).toEqual([200, 200, 204, 201, 200])
    }
    const refused = await fixtures.get(fixtures.owner, `/organization/${lost}`)
    expect(refused.headers["retry-after"]).toBeTruthy()
    want(await fixtures.get(undefined, "/health/ready"), 200)
    // What spans cells is answered where the cell cannot have any of it, and refused where it may.
    expect(want(await fixtures.get(viewer, `/administrator/permission/${viewer.id}`), 200).json).toHaveLength(2)
    expect(want(await fixtures.get(user, `/favorite/${user.id}`), 200).json).toHaveLength(1)
    want(await fixtures.get(fixtures.owner, `/administrator/permission/${fixtures.owner.id}`), 503)
    want(await fixtures.get(user, "/organization"), 503)
    // A device is known by its token alone.
    const readings = [{ organization: true, epoch: how, in: 3, out: 1 }]
    want(await fixtures.post(counter, "/device/count", { readings }), 200)
    await eventually("the metrics show which cell is away", async () => {
      const { text } = want(await fixtures.get(undefined, "/metrics"), 200)
      for (const cell of [0, 1, 2]) expect(text).toContain(`sojourn_database_connections_max{cell="${cell}"}`)
      return text.includes('sojourn_cell_ready{cell="1"} 1') && text.includes('sojourn_cell_ready{cell="2"} 0')
    })

    if (how === "stopped") {
      // A server that starts meanwhile serves what is there.
      await server.end()
      await serve()
      expect(await ask(home)).toEqual([200, 200, 204, 201, 200])
      expect((await ask(lost)).every((status) => status === 503)).toBe(true)
      await elsewhere.start()
    } else await elsewhere.resume()
    await eventually("its organizations are answered again", async () => {
      const answered = await ask(lost)
      return answered.every((status) => status < 300)
    })
    expect(want(await fixtures.get(user, "/organization"), 200).json).toHaveLength(organizations.length)
  }
)

it("a cell that is frozen makes the streams of its own organizations stale, and no others", async () => {
  const [home, lost] = [0, 2].map((cell) => organizations.find(({ id }) => cellOf(id) === cell)!.id) as [number, number]
  const open = makeEventStreams(Number(new URL(baseUrl).port))
  /** A stream of an organization, and what reads it up to a message: the versions follow each other. */
  const follow = async (id: number) => {
    const stream = await open(fixtures.owner, `?organizations=${id}`)
    let { version } = (await stream.want("snapshot")).data.organizations[0]
    const until = async (last: string) => {
      const messages = await stream.until(({ event }) => event === last)
      for (const { data } of messages) if (data.version !== undefined) expect(data.version).toBe(++version)
      return messages.map(({ event }) => event)
    }
    return { untilChange: () => until("organization.changed"), untilStale: () => until("stale") }
  }
  const change = (id: number) => fixtures.put(fixtures.owner, "/organization", { id, description: unique("words") })
  const [ofHome, ofLost] = [await follow(home), await follow(lost)]
  await elsewhere.pause()
  await ofLost.untilStale()
  for (let round = 0; round < 3; round++) {
    want(await change(home), 200)
    expect(await ofHome.untilChange()).not.toContain("stale")
  }
  await follow(home)
  await elsewhere.resume()
  await eventually("its organization is changed", async () => (await change(lost)).status === 200)
  await ofLost.untilChange()
})

it("without the home cell people enter and leave elsewhere, and are counted", async () => {
  const { id } = organizations.find((one) => cellOf(one.id) === 2)!
  const user = fixtures.sojourn.user(unique("visitor"))
  const counter = () => fixtures.get(fixtures.owner, `/presence/organization/${id}/counter`)
  const before = want(await counter(), 200).json.counter
  await group.postgres.stop()
  await eventually("the home cell is away", async () => {
    const { text } = want(await fixtures.get(undefined, "/metrics"), 200)
    return text.includes('sojourn_cell_ready{cell="0"} 0')
  })
  const { exitToken } = want(await fixtures.enter(user, whole(id)), 201).json
  expect(want(await counter(), 200).json.counter).toBe(before + 1)
  want(await fixtures.track(user, whole(id), { movementType: -1, exitToken }), 202)
  want(await fixtures.get(undefined, "/health/ready"), 200)
  want(await fixtures.post(fixtures.operator, "/operator/organization", fixtures.draft()), 503)
  await group.postgres.start()
  await eventually("names are given again", async () => {
    const { status } = await fixtures.post(fixtures.operator, "/operator/organization", fixtures.draft())
    return status === 201
  })
})
