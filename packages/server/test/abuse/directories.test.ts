/** An attack: the owner of many organizations sets their directories to servers that never answer. */
import { defaultDirectoryQuestionBounds } from "@sojourn/core"
import { describe, expect, it } from "vitest"
import { der } from "../../../adapter-ldap/test/certificates.ts"
import { answering, message, obliging, result, SEARCH } from "../../../adapter-ldap/test/script.ts"
import { type Bearer, makeCall } from "../callers.ts"
import { forThisFile } from "../forThisFile.ts"
import { makeAgent } from "../httpClient.ts"
import { startHung, startScripted } from "../identity/Hung.ts"
import { startTown, type Town } from "../identity/Town.ts"
import { startBystanders, startCounterReaders } from "./bystander.ts"

/** `--max-in-flight`: lower than the default, and lower than the number of hanging requests. */
const MAX_IN_FLIGHT = 128
/** The numbers of hanging directories, of the attacker's organizations, and of link requests to each. */
const [HUNG, ORGANIZATIONS, LINKS] = [64, 16, 40]
/** The number of concurrent link requests of one user, below the limit per caller. */
const LINKS_OF_USER = 4

/** A directory that answers every search with one entry of two million values, and accepts every password. */
const startEnormous = async () => {
  const text = (value: string) => der(0x04, Buffer.from(value))
  const attribute = der(0x30, text("uid"), der(0x31, Buffer.alloc(4_000_000, text(""))))
  const found = der(0x64, text("uid=alice,dc=x"), der(0x30, attribute))
  const answer = answering((request) => {
    if (request.operation !== SEARCH) return obliging()(request)
    request.socket.on("error", () => {})
    return [message(request.messageId, found), result(request)]
  })
  return startScripted(answer)
}

/** A directory in which every username has one entry, and that accepts every password. */
const startHealthy = () => startScripted(answering(obliging()))

/** Starts callers that link at a directory. */
const startLinking = async ({ baseUrl, user }: Town, organizationId: number) =>
  startBystanders({
    baseUrl,
    token: await user().token,
    method: "POST",
    path: "/authenticationserver/link",
    json: { organizationId, username: "alice", password: "right" },
    callers: 2
  })

/** A directory of both parts. */
const healthy = forThisFile(await startHealthy())

describe("directories that hang", async () => {
  const hung = (await Promise.all(Array.from({ length: HUNG }, startHung))).map(forThisFile)
  const town = forThisFile(
    await startTown({
      directories: [healthy.server, ...hung.map(({ server }) => server)],
      servers: [{ server: healthy.server, startTls: "never" }],
      flags: ["--max-in-flight", String(MAX_IN_FLIGHT)]
    })
  )

  it("do not affect movements, counters and links of other organizations", async () => {
    const attacked: Array<number> = []
    for (let i = 0; i < ORGANIZATIONS; i++) attacked.push(await town.organization(hung[i]!.url))
    const [plain, linking] = [await town.organization(), await town.organization(healthy.url)]
    const users: Array<Bearer> = []
    for (let i = 0; i < (ORGANIZATIONS * LINKS) / LINKS_OF_USER; i++) users.push(town.user())

    const { baseUrl } = town
    const mover = town.user()
    const bystanders = [
      await startCounterReaders(baseUrl, plain, town.owner),
      startBystanders({
        baseUrl,
        token: await mover.token,
        method: "POST",
        path: "/movement/track/organization",
        json: { organizationId: plain, movementType: 1 }
      }),
      await startLinking(town, linking)
    ]

    // The owner changes the directory repeatedly, and users link at each one.
    const agent = makeAgent(ORGANIZATIONS * LINKS)
    const call = makeCall(baseUrl, agent)
    const changed: Array<number> = []
    const answered: Array<number> = []
    const links: Array<Promise<unknown>> = []
    for (let i = 0; i < ORGANIZATIONS * LINKS; i++) {
      const organizationId = attacked[i % ORGANIZATIONS]!
      if (i % 10 === 0) {
        const authenticationServerURL = hung[(i / 10) % HUNG]!.url
        const { status } = await town.put(town.owner, "/organization", { id: organizationId, authenticationServerURL })
        changed.push(status)
      }
      const json = { organizationId, username: "alice", password: "word" }
      const link = call(users[Math.floor(i / LINKS_OF_USER)]!, "POST", "/authenticationserver/link", { json })
      links.push(
        link.then(
          ({ status }) => answered.push(status),
          () => answered.push(0)
        )
      )
    }
    // Those above the bound are refused; the rest hangs.
    const hangingNow = () => links.length - answered.length
    await expect.poll(hangingNow, { timeout: 30_000 }).toBeLessThanOrEqual(defaultDirectoryQuestionBounds.total)
    await new Promise((resolve) => setTimeout(resolve, 1_000))

    const observed = await Promise.all(bystanders.map(({ stop }) => stop()))
    const hanging = hangingNow()
    for (const { hangUp } of hung) hangUp()
    agent.destroy()
    await Promise.all(links)

    expect(hanging).toBeGreaterThan(MAX_IN_FLIGHT)
    expect(hanging).toBeLessThanOrEqual(defaultDirectoryQuestionBounds.total)
    for (const { answers, refused } of observed) {
      expect(answers).toBeGreaterThan(0)
      expect([...refused]).toEqual([])
    }
    expect(new Set(changed)).toEqual(new Set([200]))
  })
})

describe("a directory with an oversized answer", async () => {
  const enormous = forThisFile(await startEnormous())
  const directories = [enormous.server, healthy.server]
  const servers = directories.map((server) => ({ server, startTls: "never" }))
  const town = forThisFile(await startTown({ directories, servers }))

  it("is disconnected before the end of the answer, and links at another directory succeed", async () => {
    const [hostile, linking] = [await town.organization(enormous.url), await town.organization(healthy.url)]
    const bystanders = await startLinking(town, linking)
    const links = Array.from({ length: 8 }, async () => {
      const { status } = await town.link(town.user(), hostile, "alice", "word")
      return status
    })
    expect(new Set(await Promise.all(links))).toEqual(new Set([502]))
    const { answers, refused } = await bystanders.stop()
    expect(answers).toBeGreaterThan(0)
    expect([...refused]).toEqual([])
  })
})
