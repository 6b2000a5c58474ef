/** Webhooks of one database that servers deliver one after the other, configured on the command line. */
import { afterAll, beforeAll, expect, it } from "vitest"
import { flagsFor, type Receiver, startReceiver, verified } from "../webhooks/Receiver.ts"
import { bodyOf, type Client, makeClient } from "./client.ts"
import { eventually } from "./eventually.ts"
import { type ServerGroup, serverGroup } from "./ServerGroup.ts"
import type { SojournProcess } from "./SojournProcess.ts"

let group: ServerGroup
let receiver: Receiver
let start: () => Promise<{ readonly server: SojournProcess; readonly baseUrl: string }>
let client: Client

beforeAll(async () => {
  receiver = await startReceiver()
  group = await serverGroup()
  start = async () => {
    const server = group.start(...flagsFor(receiver, group.data))
    return { server, baseUrl: await server.listening }
  }
  client = makeClient()
})

afterAll(async () => {
  client?.close()
  await group?.close()
  await receiver?.stop()
})

it("webhooks of a killed server and of one that ends are delivered by the next server, each event once", async () => {
  const first = await start()
  const town = await group.foundTown(client, first.baseUrl, { crowd: 1, companies: 0 })
  const organizationId = town.anonymous[0]!.id
  const webhooks = `/webhook/organization/${organizationId}`
  const paths = ["/one", "/two", "/three"]
  const secrets: Array<string> = []
  for (const path of paths) {
    const json = { url: `${receiver.origin}${path}` }
    const answer = await client.ask(first.baseUrl, { method: "POST", path: webhooks, token: town.owner, json })
    expect(answer.status, answer.text).toBe(201)
    secrets.push(bodyOf<{ readonly secret: string }>(answer).secret)
  }
  let count = 0
  const recorded = async (baseUrl: string) => {
    const answer = await client.ask(baseUrl, { method: "GET", path: webhooks, token: town.owner })
    return bodyOf<ReadonlyArray<{ readonly lastDeliveredVersion?: number }>>(answer).map(
      (one) => one.lastDeliveredVersion
    )
  }
  /** Changes the organization, and waits until all webhooks delivered it, and this is recorded. */
  const rename = async (baseUrl: string) => {
    const before = await recorded(baseUrl)
    const json = { id: organizationId, description: `change ${++count}` }
    const answer = await client.ask(baseUrl, { method: "PUT", path: "/organization", token: town.owner, json })
    expect(answer.status, answer.text).toBe(200)
    await eventually("it is delivered", () => paths.every((path) => receiver.received(path).length >= count))
    await eventually("it is recorded", async () =>
      (await recorded(baseUrl)).every((version, index) => version !== before[index])
    )
  }
  await rename(first.baseUrl)
  const second = await start()
  await rename(second.baseUrl)
  first.server.kill("SIGKILL")
  await rename(second.baseUrl)
  const third = await start()
  second.server.kill("SIGTERM")
  await rename(third.baseUrl)
  expect((await second.server.ended).code).toBe(0)
  for (const [index, path] of paths.entries()) {
    const versions = receiver.received(path).map((one) => verified(secrets[index]!, one).data.version)
    expect(versions, path).toEqual([1, 2, 3, 4].map((_, n) => versions[0] + n))
  }
})
