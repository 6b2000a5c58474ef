/** Revocations of tokens over two servers on one database, one of them with workers: known to both, and after a kill. */
import { expect, it } from "vitest"
import { makeEventStreams } from "../eventStream.ts"
import { unique, want } from "../fixtures.ts"
import { forThisFile } from "../forThisFile.ts"
import { program } from "./SojournProcess.ts"
import { makeClient } from "./client.ts"
import { eventually } from "./eventually.ts"
import { serverGroup } from "./ServerGroup.ts"
import { fixturesOn } from "./town.ts"

const group = forThisFile(await serverGroup())
let killed = group.start()
const other = group.start("--workers", "2")
let baseUrl = await killed.listening
const otherUrl = await other.listening
const client = forThisFile(makeClient())
const key = await group.key()
const one = fixturesOn(client, () => baseUrl, key)
const beside = fixturesOn(client, () => otherUrl, key)

const statusOf = async ({ get }: typeof one, who: Parameters<typeof one.get>[0]) =>
  (await get(who, "/authentication/administrator")).status

it("tokens that are revoked before a kill are refused by the other server at once, and by the one that starts again", async () => {
  for (let round = 0; round < 3; round++) {
    const revoked = one.sojourn.administrator(unique("revoked"))
    const { id } = await one.organization({ owner: { administratorId: revoked.id, mail: revoked.mail } })
    for (const server of [one, beside]) expect(await statusOf(server, revoked)).toBe(200)
    const stream = await makeEventStreams(Number(new URL(otherUrl).port))(revoked, `?organizations=${id}`)
    await stream.want("snapshot")
    want(await one.post(one.operator, "/operator/token/revoke", { kind: "administrator", id: revoked.id }), 204)
    killed.kill("SIGKILL")
    await killed.ended
    const last = (await stream.until(({ event }) => event === "end")).at(-1)!
    expect(last.data).toEqual({ reason: "expired" })
    // Connections reach both workers.
    await eventually("every worker refuses the token", async () => {
      const statuses = await Promise.all(Array.from({ length: 8 }, () => statusOf(beside, revoked)))
      return statuses.every((status) => status === 401)
    })
    killed = group.start()
    baseUrl = await killed.listening
    expect(await statusOf(one, revoked)).toBe(401)
  }
})

it("`sojourn token revoke` works on the storage of running servers", async () => {
  const revoked = one.sojourn.administrator(unique("revoked"))
  for (const server of [one, beside]) expect(await statusOf(server, revoked)).toBe(200)
  const flags = ["--kind", "administrator", "--id", revoked.id]
  const { code, err } = await program("token", "revoke", ...flags, ...group.storage).ended
  expect([code, err]).toEqual([0, ""])
  for (const server of [one, beside]) {
    await eventually("the token is refused", async () => (await statusOf(server, revoked)) === 401)
  }
})
