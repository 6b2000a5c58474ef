/** The bounds on concurrent questions to authentication servers: in all, by organization and by caller. */
import { assert, describe, it } from "@effect/vitest"
import { Arbitrary, Result } from "effect"
import {
  Administrator,
  AdministratorId,
  admitQuestion,
  type DirectoryQuestionBounds,
  type DirectoryQuestion,
  OrganizationId,
  User,
  UserId
} from "../../../src/index.ts"
import { integer } from "@sojourn/testing"
import { trials, verdict } from "../../trials.ts"

const question = (organization: number, caller: number): DirectoryQuestion => ({
  organizationId: OrganizationId.make(BigInt(organization)),
  caller: caller % 2 === 0 ? User(UserId.make(`${caller}`)) : Administrator(AdministratorId.make(`${caller}`))
})

/** What is underway after these questions began, one after the other, and how each was decided. */
const begin = (questions: ReadonlyArray<DirectoryQuestion>, bounds: DirectoryQuestionBounds) => {
  let underway: ReadonlyArray<DirectoryQuestion> = []
  const verdicts = questions.map((newcomer) => {
    const admitted = admitQuestion(underway, newcomer, bounds)
    if (Result.isSuccess(admitted)) underway = [...underway.filter((one) => one !== admitted.success), newcomer]
    return verdict(admitted)
  })
  return { underway, verdicts }
}

const countOf = (underway: ReadonlyArray<DirectoryQuestion>, organization: number) =>
  underway.filter(({ organizationId }) => organizationId === BigInt(organization)).length

const times = <A>(count: number, make: (i: number) => A) => Array.from({ length: count }, (_, i) => make(i))

describe("questions to authentication servers", () => {
  it.prop(
    "stay within every bound, and a refusal changes nothing",
    {
      questions: Arbitrary.array(Arbitrary.all({ organization: integer(1, 6), caller: integer(1, 9) }), {
        minLength: 0,
        maxLength: 80
      }),
      total: integer(1, 12),
      organization: integer(1, 8),
      caller: integer(1, 5)
    },
    ({ questions, ...bounds }) => {
      let underway: ReadonlyArray<DirectoryQuestion> = []
      for (const one of questions) {
        const newcomer = question(one.organization, one.caller)
        const admitted = admitQuestion(underway, newcomer, bounds)
        if (Result.isSuccess(admitted)) {
          const ended = admitted.success
          if (ended !== undefined) assert.include(underway, ended)
          underway = [...underway.filter((other) => other !== ended), newcomer]
        }
        assert.isAtMost(underway.length, bounds.total)
        for (const group of Map.groupBy(underway, ({ organizationId }) => organizationId).values()) {
          assert.isAtMost(group.length, bounds.organization)
        }
        for (const group of Map.groupBy(underway, ({ caller }) => JSON.stringify(caller)).values()) {
          assert.isAtMost(group.length, bounds.caller)
        }
      }
    },
    trials()
  )

  it.prop(
    "of many organizations leave capacity for one more, whatever these ask for",
    { hostile: integer(1, 40), rounds: integer(1, 2) },
    ({ hostile, rounds }) => {
      const bounds = { total: 256, organization: 32, caller: 8 }
      const flood = times(hostile * 32 * rounds, (i) => question(1 + (i % hostile), i))
      const { underway } = begin(flood, bounds)
      const share = Math.floor(256 / (hostile + 1))
      const fair = times(Math.min(32, share), (i) => question(1000, 100_000 + i))
      const { verdicts } = begin([...underway, ...fair], bounds)
      assert.deepStrictEqual([...new Set(verdicts)], ["accepted"])
    },
    trials(8)
  )

  it("of one caller are refused beyond the caller's bound, and others' are not", () => {
    const bounds = { total: 100, organization: 100, caller: 2 }
    const { underway, verdicts } = begin([question(1, 2), question(2, 2), question(3, 2), question(3, 4)], bounds)
    assert.deepStrictEqual(verdicts, ["accepted", "accepted", "TooManyDirectoryQuestions", "accepted"])
    assert.strictEqual(countOf(underway, 3), 1)
  })

  it("of one organization are refused beyond its bound, and a caller who has many gives places to others", () => {
    const bounds = { total: 100, organization: 4, caller: 4 }
    const hog = times(4, () => question(1, 2))
    const { underway, verdicts } = begin([...hog, ...times(4, (i) => question(1, 10 + i)), question(2, 20)], bounds)
    assert.deepStrictEqual(verdicts, [...times(7, () => "accepted"), "DirectoriesBusy", "accepted"])
    // The hog keeps its oldest question.
    assert.strictEqual(underway[0], hog[0])
    assert.strictEqual(countOf(underway, 1), 4)
  })

  it("of the organization that has most end for one that has few, the newest first", () => {
    const bounds = { total: 4, organization: 4, caller: 4 }
    const many = times(4, (i) => question(1, i))
    const { underway, verdicts } = begin([...many, question(2, 10), question(2, 11), question(2, 12)], bounds)
    assert.deepStrictEqual(verdicts, [...times(6, () => "accepted"), "DirectoriesBusy"])
    assert.deepStrictEqual(underway.slice(0, 2), many.slice(0, 2))
  })
})
