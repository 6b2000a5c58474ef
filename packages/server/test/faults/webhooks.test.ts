/** Webhooks of one database that servers deliver one after the other, configured on the command line. */
import { expect, it } from "vitest"
import { flagsFor, startReceiver, verified } from "../webhooks/Receiver.ts"
import { want } from "../fixtures.ts"
import { forThisFile } from "../forThisFile.ts"
import { makeClient } from "./client.ts"
import { eventually } from "./eventually.ts"
import { serverGroup } from "./ServerGroup.ts"
import { fixturesOn } from "./town.ts"

const receiver = forThisFile(await startReceiver())
const group = forThisFile(await serverGroup())
const client = forThisFile(makeClient())
const start = async () => {
  const server = group.start(...flagsFor(receiver, group.data))
  return { server, baseUrl: await server.listening }
}

it("webhooks of a killed server and of one that ends are delivered by the next server, each event once", async () => {
  const first = await start()
  const { key } = await group.keys()
  const on = ({ baseUrl }: { readonly baseUrl: string }) => fixturesOn(client, () => baseUrl, key)
  const { organization, owner, post } = on(first)
  const { id } = await organization()
  const webhooks = `/webhook/organization/${id}`
  const paths = ["/one", "/two", "/three"]
  const secrets: Array<string> = []
  for (const path of paths) {
    const { secret } = want(await post(owner, webhooks, { url: `${receiver.origin}${path}` }), 201).json
    secrets.push(secret)
  }
  let count = 0
  const recorded = async ({ get }: ReturnType<typeof on>): Promise<ReadonlyArray<number | undefined>> =>
    want(await get(owner, webhooks), 200).json.map((one: any) => one.lastDeliveredVersion)
  /** Changes the organization, and waits until all webhooks delivered it, and this is recorded. */
  const rename = async (server: Parameters<typeof on>[0]) => {
    const fixtures = on(server)
    const before = await recorded(fixtures)
    want(await fixtures.put(owner, "/organization", { id, description: `change ${++count}` }), 200)
    await eventually("it is delivered", () => paths.every((path) => receiver.received(path).length >= count))
    await eventually("it is recorded", async () =>
      (await recorded(fixtures)).every((version, index) => version !== before[index])
    )
  }
  await rename(first)
  const second = await start()
  await rename(second)
  first.server.kill("SIGKILL")
  await rename(second)
  const third = await start()
  second.server.kill("SIGTERM")
  await rename(third)
  expect((await second.server.ended).code).toBe(0)
  for (const [index, path] of paths.entries()) {
    const versions = receiver.received(path).map((one) => verified(secrets[index]!, one).data.version)
    expect(versions, path).toEqual([1, 2, 3, 4].map((_, n) => versions[0] + n))
  }
})
