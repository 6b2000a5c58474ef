/** The sensors of this folder while their server and its PostgreSQL are killed and started again. */
import { NodeServices } from "@effect/platform-node"
import { issuerKey } from "@sojourn/server"
import { Effect } from "effect"
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { expect, it, onTestFinished } from "vitest"
import { eventually } from "../../packages/server/test/faults/eventually.ts"
import { killableServer } from "../../packages/server/test/faults/KillableServer.ts"
import { tcpProxy } from "../../packages/server/test/faults/TcpProxy.ts"
import { makeSensor, programs } from "./Sensor.ts"
import { foundBuilding } from "./serving.ts"

const ROUNDS = ["the server", "the server and all of PostgreSQL"] as const
const PULSES_IN_ROUND = 60
const pulses = Array.from({ length: (ROUNDS.length + 1) * PULSES_IN_ROUND }, (_, i) => (i % 3 === 2 ? "out" : "in"))

it("every pulse counts once while the server is killed", async () => {
  const work = mkdtempSync(join(tmpdir(), "sojourn-door-"))
  onTestFinished(() => rmSync(work, { recursive: true, force: true }))
  const server = await killableServer()
  onTestFinished(server.destroy)
  const portOf = () => Number(new URL(server.baseUrl()!).port)
  // The sensors find the server at one address, also when it was started again on another port.
  const proxy = await tcpProxy(portOf())
  onTestFinished(proxy.close)
  const url = `http://127.0.0.1:${proxy.port}`
  const key = await Effect.runPromise(issuerKey(server.data).pipe(Effect.provide(NodeServices.layer)))
  const building = await foundBuilding(url, key)

  const doors = await Promise.all(
    programs
      .filter(({ missing }) => missing === undefined)
      .map(async ({ language, command }) => {
        const placeId = await building.makePlace(language)
        const sensor = makeSensor(command, pulses, {
          SOJOURN_URL: url,
          SOJOURN_TOKEN: await building.makeDevice(placeId),
          SOJOURN_PLACE: String(placeId),
          STATE_FILE: join(work, `${language}.json`)
        })
        onTestFinished(sensor.kill)
        return { sensor, placeId }
      })
  )
  for (const [round, kill] of ROUNDS.entries()) {
    const upTo = (round + 1) * PULSES_IN_ROUND
    for (const { sensor } of doors) sensor.pass(upTo)
    await eventually("pulses are counted", () => doors.every(({ sensor }) => sensor.counted() > upTo - PULSES_IN_ROUND))
    await server.kill(kill, ([first]) => first!)
    proxy.leadTo(portOf())
    await eventually("all pulses are counted", () => doors.every(({ sensor }) => sensor.counted() === upTo))
  }
  for (const { sensor } of doors) sensor.pass(pulses.length)
  expect(await Promise.all(doors.map(({ sensor }) => sensor.finish()))).toEqual(doors.map(() => 0))
  expect(await Promise.all(doors.map(({ placeId }) => building.inside(placeId)))).toEqual(
    doors.map(() => pulses.length / 3)
  )
})
