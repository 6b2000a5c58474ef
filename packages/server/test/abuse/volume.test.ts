/**
 * An attack on the volume of traffic: a user and an administrator try to derive the number of stays that the whole service
 * opened from the exit tokens and ids that they receive.
 */
import { beforeAll, describe, expect, it } from "vitest"
import { makeFixtures, type Premises, want, whole } from "../fixtures.ts"
import { sojournForThisFile } from "../harness.ts"

const OWN_STAYS = 96

const sojourn = await sojournForThisFile()
const { authenticated, organization, linked, enter, leave, anonymous, ofPeople, exportData, owner } =
  makeFixtures(sojourn)
const user = sojourn.user("the-curious")
const stranger = sojourn.user("a-stranger")

/** One stay of the attacker, and the number of stays that others opened since the previous one. */
interface Observation {
  readonly token: string
  readonly id: number
  readonly others: number
}

const ranksOf = (numbers: ReadonlyArray<bigint>): ReadonlyArray<number> => {
  const sorted = [...numbers].sort((one, other) => (one < other ? -1 : one > other ? 1 : 0))
  return numbers.map((number) => (sorted.indexOf(number) + sorted.lastIndexOf(number)) / 2)
}

/** Spearman's rank correlation: near 0 by chance, with a standard deviation of 1 / sqrt(n - 1). */
const correlation = (ones: ReadonlyArray<bigint>, others: ReadonlyArray<bigint>): number => {
  const [one, other] = [ranksOf(ones), ranksOf(others)]
  const mean = (one.length - 1) / 2
  const covariance = one.reduce((sum, rank, i) => sum + (rank - mean) * (other[i]! - mean), 0)
  const deviation = (ranks: ReadonlyArray<number>) =>
    Math.sqrt(ranks.reduce((sum, rank) => sum + (rank - mean) ** 2, 0))
  return covariance / (deviation(one) * deviation(other))
}

/** A threshold far above chance: six standard deviations. */
const CHANCE = 6 / Math.sqrt(OWN_STAYS - 2)

const differences = (numbers: ReadonlyArray<bigint>) =>
  numbers.slice(1).map((number, i) => (number > numbers[i]! ? number - numbers[i]! : numbers[i]! - number))

/** Expects that neither the order of the numbers nor their differences correlate with the stays that were opened. */
const expectNoCorrelation = (what: string, numbers: ReadonlyArray<bigint>, others: ReadonlyArray<number>) => {
  if (new Set(numbers).size === 1) return
  const order = numbers.map((_, i) => BigInt(i))
  expect(Math.abs(correlation(numbers, order)), `${what} and the order`).toBeLessThan(CHANCE)
  const volume = correlation(differences(numbers), others.slice(1).map(BigInt))
  expect(Math.abs(volume), `the distance of ${what} and the stays of others`).toBeLessThan(CHANCE)
}

const expectTokensUncorrelated = (observations: ReadonlyArray<Observation>) => {
  const tokens = observations.map(({ token }) => Buffer.from(token, "base64url"))
  const others = observations.map((observation) => observation.others)
  const number = (bytes: Buffer) => BigInt(`0x${bytes.toString("hex")}`)
  for (const size of [2, 4, 8]) {
    for (let at = 0; at + size <= 42; at++) {
      const windows = tokens.map((token) => token.subarray(at, at + size))
      expectNoCorrelation(`bytes ${at} to ${at + size - 1}`, windows.map(number), others)
      const reversed = windows.map((bytes) => number(Buffer.from(bytes).reverse()))
      expectNoCorrelation(`bytes ${at + size - 1} to ${at}`, reversed, others)
    }
  }
}

const expectIdsUncorrelated = (observations: ReadonlyArray<Observation>) =>
  expectNoCorrelation(
    "ids",
    observations.map(({ id }) => BigInt(id)),
    observations.map(({ others }) => others)
  )

describe("the number of other users' stays", () => {
  let elsewhere: Premises
  let here: Premises
  let works: Premises
  let ada: Awaited<ReturnType<typeof linked>>
  const byToken: Array<Observation> = []
  const byPerson: Array<Observation> = []

  beforeAll(async () => {
    elsewhere = whole((await organization()).id)
    here = whole((await organization()).id)
    works = whole((await authenticated()).id)
    ada = await linked(works.id, "ada")
    const [tokens, tokensOfAda, crowds]: [Array<string>, Array<string>, Array<number>] = [[], [], []]
    for (let i = 0; i < OWN_STAYS; i++) {
      // 0 to 12 other users, in random order.
      const crowd = (i * 7) % 13
      await Promise.all(Array.from({ length: crowd }, async () => want(await enter(stranger, elsewhere), 201)))
      crowds.push(crowd)
      for (const [who, where, kept] of [
        [user, here, tokens],
        [ada, works, tokensOfAda]
      ] as const) {
        const { exitToken } = want(await enter(who, where), 201).json
        want(await leave(who, where, exitToken), 202)
        kept.push(exitToken)
      }
    }
    const ids = new Map<string, number>(
      want(await anonymous(user, here, tokens.join(",")), 200).json.map(({ exitToken, id }: any) => [exitToken, id])
    )
    const idsOfAda: ReadonlyArray<number> = want(await ofPeople(ada, works, "ada"), 200).json.map(({ id }: any) => id)
    expect(idsOfAda).toHaveLength(OWN_STAYS)
    tokens.forEach((token, i) => byToken.push({ token, id: ids.get(token)!, others: crowds[i]! }))
    tokensOfAda.forEach((token, i) => byPerson.push({ token, id: idsOfAda[i]!, others: crowds[i]! }))
  })

  it("cannot be derived from the exit tokens of a user", () => {
    expectTokensUncorrelated(byToken)
    expectTokensUncorrelated(byPerson)
  })

  it("cannot be derived from the ids of a user's accesses", () => {
    expectIdsUncorrelated(byToken)
    expectIdsUncorrelated(byPerson)
  })

  it("cannot be derived from the ids that an administrator reads, which equal those that users read", async () => {
    const read = want(await ofPeople(owner, works, "ada"), 200).json.map(({ id }: any) => id)
    expect(read).toEqual(byPerson.map(({ id }) => id))
  })

  it("cannot be derived from the export of personal data", async () => {
    const subject = { organizationId: works.id, orgAuthServerId: "ada" }
    const exported = want(await exportData(subject), 200).json
    const ids = exported.organizationAccesses.map(({ id }: any) => id)
    expect(new Set(ids)).toEqual(new Set(byPerson.map(({ id }) => id)))
  })
})
