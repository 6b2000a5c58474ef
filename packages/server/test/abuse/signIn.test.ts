/** Attacks on password sign-in: their effect on an administrator with the password, and the number of guesses they get. */
import { Hash } from "effect"
import { setTimeout as sleep } from "node:timers/promises"
import { describe, expect, it } from "vitest"
import { makeFixtures, want } from "../fixtures.ts"
import { sojournForThisFile } from "../harness.ts"
import { makeAgent, send } from "../httpClient.ts"
import { startCounterReaders } from "./bystander.ts"

const sojourn = await sojournForThisFile({ limits: { trustedProxies: 1 } })
const { organization, owner, post } = makeFixtures(sojourn)
const PASSWORD = "correct horse battery staple"

/** The most guesses that one network gets for one username in the first minute. */
const MAX_GUESSES_PER_MINUTE = 11

const { id: organizationId } = await organization()
let count = 0

/** Creates an administrator with a password; returns the mail address. */
const administrator = async (): Promise<string> => {
  const mail = `victim-${++count}@example.test`
  const json = { organizationId, permission: "manager", mail, password: PASSWORD }
  want(await post(owner, "/administrator/createadministrator", json), 201)
  return mail
}

const agent = makeAgent(200)

/** The status of a sign-in from an address, 0 without an answer. Not with the harness, which fails on a 503. */
const signIn = (address: string, username: string, password: string, signal?: AbortSignal): Promise<number> => {
  const form = { grant_type: "password", username, password }
  const headers = { "x-forwarded-for": address }
  return send(sojourn.baseUrl, { agent, method: "POST", path: "/authentication/token", form, headers, signal }).then(
    ({ status }) => status,
    () => 0
  )
}

/** Repeats sign-ins from each of these addresses, without a pause after a guess, while `what` runs. */
const during = async <A>(
  addresses: ReadonlyArray<string>,
  nameFor: () => string,
  run: (statuses: ReadonlyMap<number, number>) => Promise<A>
) => {
  const statuses = new Map<number, number>()
  const over = new AbortController()
  const { signal } = over
  const loops = addresses.map(async (address) => {
    while (!signal.aborted) {
      const status = await signIn(address, nameFor(), `guess ${++count}`, signal)
      if (!signal.aborted) statuses.set(status, (statuses.get(status) ?? 0) + 1)
      if (status !== 400) await sleep(100)
    }
  })
  try {
    return { result: await run(statuses), statuses }
  } finally {
    over.abort()
    await Promise.all(loops)
  }
}

const until = async (condition: () => boolean) => {
  while (!condition()) await sleep(5)
}

const times = <A>(n: number, run: () => Promise<A>) =>
  Array.from({ length: n }).reduce<Promise<ReadonlyArray<A>>>(
    async (done) => [...(await done), await run()],
    Promise.resolve([])
  )

const madeUp = () => `made-up-${++count}@example.test`
const HOME = "203.0.113.9"
const ATTACKER = "198.51.100.7"
/** The addresses of one attacker, each in its own network. */
const networks = (n: number) => Array.from({ length: n }, (_, nth) => `198.51.100.${nth}`)

describe("an administrator who knows the password signs in", () => {
  it("after attempts with usernames that collide with theirs under an unkeyed hash", async () => {
    const victim = await administrator()
    const counter = (username: string) => Hash.string(username) & 0xffff
    const others: Array<string> = []
    for (let n = 0; others.length < 10; n++) {
      const username = `collision-${n}@example.test`
      if (counter(username) === counter(victim)) others.push(username)
    }
    const statuses = await Promise.all(others.map((username) => signIn(ATTACKER, username, "a guess")))
    expect(statuses).toEqual(others.map(() => 400))
    expect(await signIn(ATTACKER, victim, PASSWORD)).toBe(200)
  })

  it("while another network guesses the password; it gets few guesses, concurrent or sequential", async () => {
    const victim = await administrator()
    const attack = await during(
      Array.from({ length: 50 }, () => ATTACKER),
      () => victim,
      async (statuses) => {
        await until(() => (statuses.get(429) ?? 0) > 50)
        return times(3, () => signIn(HOME, victim, PASSWORD))
      }
    )
    expect(attack.result).toEqual([200, 200, 200])
    expect([...attack.statuses.keys()].toSorted()).toEqual([400, 429])
    expect(attack.statuses.get(400)).toBeLessThanOrEqual(MAX_GUESSES_PER_MINUTE)
  })

  it("while six networks guess the password, from a new network and after one wrong password", async () => {
    const victim = await administrator()
    const { result } = await during(
      networks(6),
      () => victim,
      async (statuses) => {
        await until(() => (statuses.get(429) ?? 0) > 0)
        return [await signIn(HOME, victim, "a typing error"), await signIn(HOME, victim, PASSWORD)]
      }
    )
    expect(result).toEqual([400, 200])
  })

  it("at the first attempt from a known network while 60 networks fill the queue; owners can create administrators", async () => {
    const victim = await administrator()
    expect(await signIn(HOME, victim, PASSWORD)).toBe(200)
    const { result } = await during(networks(60), madeUp, async (statuses) => {
      await until(() => (statuses.get(503) ?? 0) > 50)
      await administrator()
      return times(2, () => signIn(HOME, victim, PASSWORD))
    })
    expect(result).toEqual([200, 200])
  })

  it("after attempts that were refused because the queue was full", async () => {
    const victim = await administrator()
    const { result } = await during(networks(60), madeUp, async (statuses) => {
      await until(() => (statuses.get(503) ?? 0) > 50)
      return Promise.all(Array.from({ length: 40 }, () => signIn(HOME, victim, "a guess")))
    })
    expect(result).toContain(503)
    // The attempts that were not refused are below the limit.
    expect(result.filter((status) => status === 400).length).toBeLessThan(5)
    expect(await signIn(HOME, victim, PASSWORD)).toBe(200)
  })

  it("at the first attempt while one network fills its share of the queue; other callers are not affected", async () => {
    const victim = await administrator()
    const bystanders = await startCounterReaders(sojourn.baseUrl, organizationId, owner)
    const { result } = await during(
      Array.from({ length: 100 }, () => ATTACKER),
      madeUp,
      async (statuses) => {
        await until(() => (statuses.get(503) ?? 0) > 100)
        return times(3, () => signIn(HOME, victim, PASSWORD))
      }
    )
    expect(result).toEqual([200, 200, 200])
    const { answers, refused } = await bystanders.stop()
    expect(answers).toBeGreaterThan(0)
    expect(refused).toEqual(new Map())
  })
})
