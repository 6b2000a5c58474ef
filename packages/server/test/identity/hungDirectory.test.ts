/** One organization's directory hangs. Links there wait; movements in other organizations do not. */
import { describe, expect, it } from "vitest"
import { want, whole } from "../fixtures.ts"
import { forThisFile } from "../forThisFile.ts"
import { startHung } from "./Hung.ts"
import { missing, person, startSlapd } from "./Slapd.ts"
import type { Answer } from "../callers.ts"
import { startTown } from "./Town.ts"

/** The number of rounds of each kind. They alternate, so that other load of the machine affects both kinds. */
const ROUNDS = 11
/** The number of stays in a round, and the number of concurrent users. */
const [STAYS, CROWD] = [48, 8]
/** The default number of concurrent connections to one directory. */
const CONNECTIONS = 8

const quantile = (values: ReadonlyArray<number>, part: number) =>
  values.toSorted((a, b) => a - b)[Math.ceil(values.length * part) - 1] ?? Number.NaN

/** A quantile of the median round, which is robust against other load in single rounds. */
const typical = (rounds: ReadonlyArray<ReadonlyArray<number>>, part: number) =>
  quantile(
    rounds.map((round) => quantile(round, part)),
    0.5
  )

describe("with a directory that hangs", async () => {
  const people = [person(0), person(1)]
  const slapd = missing === undefined ? forThisFile(await startSlapd({ people })) : undefined
  const hung = forThisFile(await startHung())
  const town = forThisFile(
    await startTown({ directories: [hung.server, ...(slapd === undefined ? [] : [slapd.server])] })
  )
  const guests = Array.from({ length: CONNECTIONS + 1 }, () => town.user())

  /** Sends `count` links that hang; `answered` collects their statuses. */
  const hang = async (organizationId: number, count: number) => {
    const answered: Array<number> = []
    const users = guests.slice(0, count)
    const links = users.map(async (user) => {
      const { status } = await town.link(user, organizationId, "somebody", "word")
      answered.push(status)
      return status
    })
    await hung.until(Math.min(count, CONNECTIONS))
    return { answered, all: Promise.all(links) }
  }

  it("answers movements of other organizations as before, and each before the link that hangs", async () => {
    const hanging = await town.organization(hung.url)
    const organizationId = await town.organization()
    const crowd = Array.from({ length: CROWD }, () => town.user())
    /** Runs a round; returns the duration of each movement, in milliseconds. */
    const round = async (): Promise<ReadonlyArray<number>> => {
      const took: Array<number> = []
      const timed = async (moving: Promise<Answer>, status: number) => {
        const began = performance.now()
        const answer = want(await moving, status)
        took.push(performance.now() - began)
        return answer
      }
      await Promise.all(
        crowd.map(async (user) => {
          for (let i = 0; i < STAYS / CROWD; i++) {
            const entrance = await timed(town.enter(user, whole(organizationId)), 201)
            await timed(town.leave(user, whole(organizationId), entrance.json.exitToken), 202)
          }
        })
      )
      return took
    }

    await round()
    const [before, during]: [Array<ReadonlyArray<number>>, Array<ReadonlyArray<number>>] = [[], []]
    for (let i = 0; i < ROUNDS; i++) {
      before.push(await round())
      // One more than the limit of connections: it is queued.
      const { answered, all } = await hang(hanging, CONNECTIONS + 1)
      during.push(await round())
      expect(answered).toEqual([])
      while (answered.length < CONNECTIONS + 1) {
        hung.hangUp()
        await Promise.race([all, new Promise((resolve) => setTimeout(resolve, 5))])
      }
      expect(new Set(await all)).toEqual(new Set([502]))
    }
    for (const part of [0.5, 0.99]) {
      const [quiet, loud] = [before, during].map((rounds) => typical(rounds, part)) as [number, number]
      const [was, is, ratio] = [quiet, loud, loud / quiet].map((value) => value.toFixed(2))
      console.log(`movements, quantile ${part} of the median round: ${was} ms before, ${is} ms during, ${ratio} times`)
    }
    expect(await town.inside(whole(organizationId))).toBe(0)
  })

  const meanwhile = "answers every link there with 504 after a timeout, and meanwhile links at another directory"
  it(missing === undefined ? meanwhile : `${meanwhile} (the latter is skipped: ${missing})`, async () => {
    const { answered, all } = await hang(await town.organization(hung.url), CONNECTIONS)
    if (slapd !== undefined) {
      const other = await town.organization(slapd.url)
      for (const { uid, password } of people) {
        const user = town.user()
        want(await town.link(user, other, uid, password), 201)
        want(await town.enter(user, whole(other)), 201)
      }
      expect(answered).toEqual([])
    }
    expect(new Set(await all)).toEqual(new Set([504]))
  })
})
