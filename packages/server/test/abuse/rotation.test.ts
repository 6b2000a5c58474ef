/** Rotation of the exit-token keys on two servers, one after the other, while users enter and leave on both. */
import { expect, it } from "vitest"
import { type Answer, type ClientRequest, bodyOf, makeClient } from "../faults/client.ts"
import { movementOf, nextKey, tracking } from "../faults/movements.ts"
import { serverGroup } from "../faults/ServerGroup.ts"
import { forThisFile } from "../forThisFile.ts"

const PHONES = 8
/** The number of users who enter and leave between two steps of the rotation. */
const BETWEEN = Number(process.env["SOJOURN_ROTATION_MOVEMENTS"] ?? 20)

const key = (id: number) => `${id}:${Buffer.alloc(32, id).toString("base64url")}`
/** The keys of the servers at each step. */
const STEPS = [[key(1)], [key(1), key(2)], [key(2), key(1)]]

const group = forThisFile(await serverGroup())

const start = async (keys: ReadonlyArray<string>) => {
  const process = group.start("--token-keys", keys.join())
  return { process, baseUrl: await process.listening }
}

/** The servers that receive requests. */
const servers = [await start(STEPS[0]!), await start(STEPS[0]!)]
const client = forThisFile(makeClient())
const town = await group.foundTown(client, servers[0]!.baseUrl, { crowd: PHONES, companies: 1 })

/** The number of answers per status. */
const statuses = new Map<number, number>()
let next = 0

/** Sends requests to the servers in turn, and retries on the other one when a server is stopping. */
const ask = async (request: ClientRequest): Promise<Answer> => {
  while (true) {
    const answer = await client.ask(servers[next++ % servers.length]!.baseUrl, request)
    statuses.set(answer.status, (statuses.get(answer.status) ?? 0) + 1)
    if (answer.status !== 0 && answer.status !== 503) return answer
  }
}

const counter = async (id: number): Promise<number> =>
  bodyOf<{ readonly counter: number }>(
    await ask({ method: "GET", path: `/presence/organization/${id}/counter`, token: town.owner })
  ).counter

it("a rotation of the exit-token keys refuses no movement, counts none twice and leaves no stay open", async () => {
  const [anywhere] = town.anonymous
  const [company] = town.authenticated
  const [phones, people] = [
    town.residents.filter(({ person }) => person === undefined),
    town.residents.filter(({ person }) => person !== undefined)
  ]
  const remaining = new Set<string>()
  const faults: Array<string> = []
  const done = { visits: 0 }
  const over = new AbortController()

  /** Enters, retries on the other server, and leaves. Some users leave only after the rotation. */
  const visit = async (token: string, staysInside: boolean) => {
    const entrance = tracking(token, anywhere!, { movementType: 1 }, nextKey())
    const [first, again] = [await ask(entrance), await ask(entrance)]
    if (first.status !== 201 || again.status !== 201) return void faults.push(`enter ${first.status} ${again.status}`)
    const { exitToken } = movementOf(first)
    if (movementOf(again).timestamp !== movementOf(first).timestamp) faults.push("a retried entrance is another")
    done.visits++
    if (staysInside) return void remaining.add(exitToken)
    const left = await ask(tracking(token, anywhere!, { movementType: -1, exitToken }))
    if (left.status !== 202) faults.push(`leave ${left.status} ${exitToken.slice(0, 2)}`)
  }
  /** A person enters twice, on either server, and has one open stay. */
  const personVisits = async (token: string) => {
    const entrance = tracking(token, company!, { movementType: 1 })
    const answers = [await ask(entrance), await ask(entrance)]
    if (answers.some(({ status }) => status !== 201)) return void faults.push(`person ${answers.map((a) => a.status)}`)
    done.visits++
    const { exitToken } = movementOf(answers[1]!)
    const left = await ask(tracking(token, company!, { movementType: -1, exitToken }))
    if (left.status !== 202) faults.push(`person leaves ${left.status}`)
  }
  const crowd = Promise.all([
    ...phones.map(async ({ token }) => {
      for (let nth = 0; !over.signal.aborted; nth++) await visit(token, nth % 10 === 0)
    }),
    ...people.map(async ({ token }) => {
      while (!over.signal.aborted) await personVisits(token)
    })
  ])
  const more = async () => {
    const enough = done.visits + BETWEEN
    while (done.visits < enough && faults.length < 100) await new Promise((resolve) => setTimeout(resolve, 10))
  }

  try {
    await more()
    for (const keys of STEPS.slice(1)) {
      // The servers are replaced one after the other, so that both sets of keys are in use at the same time.
      for (const place of [0, 1]) {
        const replaced = servers[place]!
        servers[place] = await start(keys)
        await more()
        replaced.process.kill("SIGTERM")
        expect((await replaced.process.ended).code).toBe(0)
      }
    }
    await more()
  } finally {
    over.abort()
    await crowd
  }
  expect(faults).toEqual([])
  expect([...statuses.keys()].filter((status) => ![0, 200, 201, 202, 503].includes(status))).toEqual([])

  // Stays that were opened with the old key are closed with it.
  expect(await counter(anywhere!.id)).toBe(remaining.size)
  expect(await counter(company!.id)).toBe(0)
  expect(new Set([...remaining].map((token) => Buffer.from(token, "base64url")[0]))).toEqual(new Set([1, 2]))
  for (const exitToken of remaining) {
    expect((await ask(tracking(phones[0]!.token, anywhere!, { movementType: -1, exitToken }))).status).toBe(202)
  }
  expect(await counter(anywhere!.id)).toBe(0)
})
