/** The sensors of this folder against a server: they are killed, and the network between them breaks. */
import { once } from "node:events"
import { mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { createServer } from "node:http"
import type { AddressInfo } from "node:net"
import { json } from "node:stream/consumers"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, describe, expect, it, onTestFinished } from "vitest"
import { eventually } from "../../packages/server/test/faults/eventually.ts"
import { PASS, tcpProxy } from "../../packages/server/test/faults/TcpProxy.ts"
import { makeSensor, programs } from "./Sensor.ts"
import { serveBuilding } from "./serving.ts"

const work = mkdtempSync(join(tmpdir(), "sojourn-door-"))
const building = await serveBuilding()
const proxy = await tcpProxy(Number(new URL(building.url).port))

afterAll(async () => {
  await proxy.close()
  await building.stop()
  rmSync(work, { recursive: true, force: true })
})

/** Two people in for each one out: whatever part has passed, nobody leaves who is not inside. */
const pulses = Array.from({ length: 300 }, (_, i) => (i % 3 === 2 ? "out" : "in"))
const insideAfter = (passed: number) =>
  pulses.slice(0, passed).reduce((inside, pulse) => inside + (pulse === "in" ? 1 : -1), 0)

const sensorAt = async (name: string, command: (typeof programs)[number]["command"], url: string) => {
  const placeId = await building.makePlace(name)
  const sensor = makeSensor(command, pulses, {
    SOJOURN_URL: url,
    SOJOURN_TOKEN: await building.makeDevice(placeId),
    SOJOURN_PLACE: String(placeId),
    STATE_FILE: join(work, `${name}.json`)
  })
  onTestFinished(sensor.kill)
  return { sensor, inside: () => building.inside(placeId), stateFile: join(work, `${name}.json`) }
}

describe.each(programs)("the sensor in $language", ({ language, command, missing }) => {
  it.skipIf(missing !== undefined)("counts every pulse once, across kills and a network that breaks", async () => {
    const { sensor, inside } = await sensorAt(language, command, `http://127.0.0.1:${proxy.port}`)
    const half = pulses.length / 2
    sensor.pass(half)
    for (let counted = 0; counted < half / 4;) {
      await eventually("some more pulses were counted", () => sensor.counted() > counted)
      await sensor.kill()
      counted = sensor.counted()
      sensor.restart()
      sensor.pass(half)
    }
    await eventually("all pulses are inside", async () => (await inside()) === insideAfter(half))

    proxy.set({ _tag: "lose answers", when: () => true })
    sensor.pass(half + 50)
    await eventually("readings whose answers are lost were counted", async () => (await inside()) === insideAfter(200))
    await proxy.refuse()
    sensor.pass(pulses.length)
    await eventually("pulses are counted without a network", () => sensor.counted() > 250)
    await sensor.kill()
    sensor.restart()
    sensor.pass(pulses.length)
    await eventually("the sensor noticed", () => sensor.said().includes("not sent"))
    expect(await inside()).toBe(insideAfter(200))
    proxy.set(PASS)
    await proxy.listen()
    expect(await sensor.finish()).toBe(0)
    expect(await inside()).toBe(insideAfter(pulses.length))
  })

  it.skipIf(missing !== undefined)(
    "begins a new epoch where its file is torn or missing, and sends large totals in steps that the server accepts",
    async () => {
      const { sensor, inside, stateFile } = await sensorAt(`${language} torn`, command, building.url)
      sensor.pass(30)
      await eventually("all pulses are inside", async () => (await inside()) === insideAfter(30))
      await sensor.kill()
      writeFileSync(stateFile, '{"epoch":"a","in":2')
      sensor.restart()
      await eventually("the file is whole again", () => {
        try {
          return sensor.counted() === 0
        } catch {
          return false
        }
      })
      sensor.pass(30)
      await eventually("the new totals count", async () => (await inside()) === 2 * insideAfter(30))
      await sensor.kill()
      rmSync(stateFile)
      sensor.restart()
      sensor.pass(30)
      await eventually("those of another epoch, too", async () => (await inside()) === 3 * insideAfter(30))
      await sensor.kill()
      writeFileSync(stateFile, JSON.stringify({ epoch: "large", in: 25_000, out: 12_000 }))
      sensor.restart()
      expect(await sensor.finish()).toBe(0)
      expect(await inside()).toBe(3 * insideAfter(30) + 13_000)
    }
  )

  it.skipIf(missing !== undefined)("sends again what was not accepted, and prints a refusal", async () => {
    const answers = [408, 429, 503, 500, 400, 403, 200, 200, 200]
    const readings: Array<unknown> = []
    const server = createServer(async (request, response) => {
      readings.push(await json(request))
      response.writeHead(answers[readings.length - 1] ?? 200, { "retry-after": "0" }).end("{}")
    })
    await once(server.listen(0, "127.0.0.1"), "listening")
    try {
      const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
      const { sensor } = await sensorAt(`${language} refused`, command, url)
      sensor.pass(30)
      await eventually("it sends on", () => readings.length > answers.length)
      expect(await sensor.finish()).toBe(0)
      expect(sensor.said()).toBe("refused with 400: {}\nrefused with 403: {}\n")
      expect(readings.at(-1)).toMatchObject({ readings: [{ in: 20, out: 10 }] })
    } finally {
      server.close()
      server.closeAllConnections()
    }
  })
})
