/** Two servers on one database are restarted one after the other under load, without a refusal or a lost movement. */
import { setTimeout as pause } from "node:timers/promises"
import { expect, it } from "vitest"
import { eventually } from "../faults/eventually.ts"
import { serverGroup } from "../faults/ServerGroup.ts"
import type { SojournProcess } from "../faults/SojournProcess.ts"
import { forThisFile } from "../forThisFile.ts"
import { healthProxy } from "./HealthProxy.ts"

/** The time between restarts, in milliseconds. */
const A_WHILE = 500

interface Member {
  readonly process: SojournProcess
  readonly port: number
}

const group = forThisFile(await serverGroup())

const start = async (): Promise<Member> => {
  const process = group.start("--drain-delay", "1s")
  return { process, port: Number(new URL(await process.listening).port) }
}

const lead = async () => {
  proxy.leadTo(members.map(({ port }) => port))
  await eventually("all are ready", () => members.every(({ port }) => proxy.isReady(port)))
}

const getsRequest = async ({ port }: Member) => {
  const before = proxy.forwarded.get(port) ?? 0
  await eventually("it gets a request", () => (proxy.forwarded.get(port) ?? 0) > before)
}

const members = [await start(), await start()]
const proxy = forThisFile(await healthProxy())
await lead()
const scene = forThisFile(await group.makeScene({ baseUrl: () => proxy.baseUrl, crowd: 24, companies: 1, keyed: 0.5 }))

it("a rolling restart refuses no request and loses no movement", async () => {
  const { crowd, ledger } = scene
  crowd.start()
  await crowd.servedSince(performance.now())
  for (const [place, old] of members.entries()) {
    await getsRequest(old)
    old.process.kill("SIGTERM")
    expect(await old.process.ended).toMatchObject({ code: 0, signal: null })
    members[place] = await start()
    await lead()
    await crowd.servedSince(performance.now())
    await pause(A_WHILE)
  }
  await crowd.settle()
  await scene.audit(group.database())
  expect(ledger.faults).toEqual([])
  expect(ledger.ambiguous()).toBe(0)
  expect(ledger.acknowledged()).toBeGreaterThan(100)
})
