/** The bridge between a real Mosquitto and a server. */
import { connectAsync, type MqttClient } from "mqtt"
import { spawn } from "node:child_process"
import { once } from "node:events"
import { mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest"
import { eventually } from "../../packages/server/test/faults/eventually.ts"
import { PASS, type TcpProxy, tcpProxy } from "../../packages/server/test/faults/TcpProxy.ts"
import { serveBuilding } from "../door-counter/serving.ts"
import { missing, startMosquitto } from "./Mosquitto.ts"

const PROGRAM = fileURLToPath(new URL("bridge.ts", import.meta.url))

describe.skipIf(missing !== undefined)("the bridge", () => {
  const work = mkdtempSync(join(tmpdir(), "sojourn-bridge-"))
  const [tokenFile, devicesFile] = [join(work, "token"), join(work, "devices.json")]
  let broker: Awaited<ReturnType<typeof startMosquitto>>
  let building: Awaited<ReturnType<typeof serveBuilding>>
  let proxy: TcpProxy
  let publisher: MqttClient
  const devices: Record<string, string> = {}

  const startBridge = () => {
    const child = spawn(process.execPath, ["--conditions=source", PROGRAM], {
      env: {
        ...process.env,
        MQTT_URL: broker.url,
        SOJOURN_URL: `http://127.0.0.1:${proxy.port}`,
        SOJOURN_TOKEN_FILE: tokenFile,
        SOJOURN_ORGANIZATIONS: String(building.organizationId),
        SOJOURN_DEVICES_FILE: devicesFile
      },
      stdio: ["ignore", "ignore", "pipe"]
    })
    let said = ""
    child.stderr.setEncoding("utf8").on("data", (text: string) => (said += text))
    const kill = async () => {
      child.kill("SIGKILL")
      if ((child.exitCode ?? child.signalCode) === null) await once(child, "exit")
    }
    return { kill, said: () => said }
  }
  let bridge: ReturnType<typeof startBridge>

  /** Makes a place, and a device with the name that counts there. */
  const makeDoor = async (name: string) => {
    const placeId = await building.makePlace(name)
    devices[name] = await building.makeDevice(placeId)
    writeFileSync(devicesFile, JSON.stringify(devices))
    return placeId
  }
  const publish = (name: string, payload: unknown) =>
    publisher.publishAsync(
      `sojourn/devices/${name}/reading`,
      typeof payload === "string" ? payload : JSON.stringify(payload),
      { qos: 1 }
    )

  /** The retained messages that a new subscriber gets. */
  const retained = async (...topics: ReadonlyArray<string>) => {
    const subscriber = await connectAsync(broker.url)
    const messages: Record<string, string> = {}
    subscriber.on("message", (topic, payload, { retain }) => {
      if (retain) messages[topic] = payload.toString()
    })
    await subscriber.subscribeAsync([...topics])
    // The broker has sent what it retains before it answers what is asked later.
    await subscriber.publishAsync("sojourn/nothing", "", { qos: 1 })
    await subscriber.endAsync()
    return messages
  }
  /** Whether the counts are current. Then the bridge has subscribed to readings as well. */
  const availability = async () =>
    (await retained("sojourn/bridges/+/availability"))["sojourn/bridges/sojourn-bridge/availability"]

  beforeAll(async () => {
    broker = await startMosquitto()
    building = await serveBuilding()
    proxy = await tcpProxy(Number(new URL(building.url).port))
    publisher = await connectAsync(broker.url)
    writeFileSync(tokenFile, `${building.token}\n`)
  })

  afterEach(async () => {
    proxy.set(PASS)
    await bridge.kill()
  })

  afterAll(async () => {
    await publisher?.endAsync()
    await proxy?.close()
    await building?.stop()
    await broker?.stop()
    rmSync(work, { recursive: true, force: true })
  })

  it("counts readings of a topic, and retains counts with their discovery for Home Assistant", async () => {
    const placeId = await makeDoor("main-door")
    bridge = startBridge()
    await eventually("the bridge is there", async () => (await availability()) === "online")
    await publish("main-door", { placeId, epoch: "a", in: 5, out: 2 })
    await publish("main-door", [
      { placeId, epoch: "a", in: 6, out: 2 },
      { placeId, epoch: "b", in: 1, out: 0 }
    ])
    const topic = `sojourn/places/${placeId}/inside`
    await eventually("the count is retained", async () => (await retained(topic))[topic] === "5")
    expect(await building.inside(placeId)).toBe(5)

    const found = await retained("sojourn/organizations/+/inside", "homeassistant/sensor/+/config")
    const { organizationId } = building
    expect(found[`sojourn/organizations/${organizationId}/inside`]).toBe("0")
    expect(JSON.parse(found[`homeassistant/sensor/sojourn_place_${placeId}/config`]!)).toEqual({
      name: "main-door",
      unique_id: `sojourn_place_${placeId}`,
      state_topic: topic,
      state_class: "measurement",
      unit_of_measurement: "people",
      icon: "mdi:account-group",
      availability_topic: "sojourn/bridges/sojourn-bridge/availability",
      device: {
        identifiers: [`sojourn_organization_${organizationId}`],
        name: "Building",
        manufacturer: "Sojourn"
      }
    })
    expect(found).toHaveProperty([`homeassistant/sensor/sojourn_organization_${organizationId}/config`])
  })

  it("announces places that are made, removes those that are deleted, and is offline without a server", async () => {
    bridge = startBridge()
    await eventually("the bridge is there", async () => (await availability()) === "online")
    const placeId = await building.makePlace("Room")
    const topics = [`sojourn/places/${placeId}/inside`, `homeassistant/sensor/sojourn_place_${placeId}/config`]
    await eventually("the place is there", async () => Object.keys(await retained(...topics)).length === 2)
    expect((await retained(topics[0]!))[topics[0]!]).toBe("0")
    await building.client.place.remove({ placeId })
    await eventually("the place is gone", async () => Object.keys(await retained(...topics)).length === 0)

    await proxy.refuse()
    await eventually("the counts are not current", async () => (await availability()) === "offline")
    await proxy.listen()
    await eventually("the counts are current", async () => (await availability()) === "online")
    await bridge.kill()
    await eventually("the last will is there", async () => (await availability()) === "offline")
  })

  it("rejects a reading that the server refuses, and counts those around it", async () => {
    const placeId = await makeDoor("side-door")
    const errors: Array<{ readonly topic: string; readonly status?: number; readonly payload: string }> = []
    const subscriber = await connectAsync(broker.url)
    subscriber.on("message", (topic, payload) => errors.push({ topic, ...JSON.parse(payload.toString()) }))
    await subscriber.subscribeAsync("sojourn/devices/+/error", { qos: 1 })
    bridge = startBridge()
    await eventually("the bridge is there", async () => (await availability()) === "online")
    await bridge.kill()
    // The bridge gets these messages together, so that it sends several in one request.
    await Promise.all([
      publish("side-door", { placeId, epoch: "a", in: 3, out: 0 }),
      publish("side-door", { organization: true, epoch: "a", in: 7, out: 0 }),
      publish("side-door", { placeId, epoch: "a", in: 20_000, out: 0 }),
      publish("side-door", "in 5"),
      publish("no-door", { placeId, epoch: "a", in: 9, out: 0 }),
      publish("side-door", { placeId, epoch: "a", in: 4, out: 0 })
    ])
    bridge = startBridge()
    await eventually("four were rejected", () => errors.length === 4)
    await eventually("the others count", async () => (await building.inside(placeId)) === 4)
    expect(errors.map(({ topic, status }) => [topic.split("/")[2], status])).toEqual(
      expect.arrayContaining([
        ["side-door", 403],
        ["side-door", 400],
        ["side-door", undefined],
        ["no-door", undefined]
      ])
    )
    expect(errors.map(({ payload }) => payload)).toContain("in 5")
    await subscriber.endAsync()
  })

  it("loses and doubles nothing when it is killed before it has acknowledged a message", async () => {
    const placeId = await makeDoor("back-door")
    bridge = startBridge()
    await eventually("the bridge is there", async () => (await availability()) === "online")

    for (const [round, fault] of (["cut", "lose answers"] as const).entries()) {
      proxy.set({ _tag: fault, when: () => true })
      for (let i = 1; i <= 50; i++) await publish("back-door", { placeId, epoch: `${round}`, in: 2 * i, out: i })
      await eventually("a request has failed", () => bridge.said().includes("back-door: RequestFailed"))
      const inside = await building.inside(placeId)
      if (fault === "cut") expect(inside).toBe(0)
      else expect(inside).toBeGreaterThan(50)
      await bridge.kill()
      proxy.set(PASS)
      bridge = startBridge()
      await eventually("every reading counts once", async () => (await building.inside(placeId)) === 50 * (round + 1))
    }
    // The broker sends in order: after this one it has nothing left of those before.
    await publish("back-door", { placeId, epoch: "last", in: 1, out: 0 })
    await eventually("the last one counts", async () => (await building.inside(placeId)) === 101)
  })
})
