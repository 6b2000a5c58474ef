/** Exports and erasures in bulk, which race with movements and each other: the effect on others, and what remains. */
import { describe, expect, it } from "vitest"
import { at, makeFixtures, type Premises, want } from "../fixtures.ts"
import { type Bearer, sojournForThisFile } from "../harness.ts"
import { startCounterReaders } from "./bystander.ts"

const sojourn = await sojournForThisFile()
const {
  operator,
  owner,
  organization,
  authenticated,
  linked,
  exportData: exported,
  eraseData: erase,
  get,
  enter,
  leave,
  inside,
  ofPeople
} = makeFixtures(sojourn)

const ORGANIZATIONS = 12
const STAYS = 86
const PEOPLE = ["ada", "alan", "grace"] as const

interface Resident {
  readonly user: Bearer
  readonly where: Premises
  readonly person: string
}

/** A person with completed stays, who is inside. */
const resident = async (organizationId: number, person: string, stays: number, user?: Bearer): Promise<Resident> => {
  const where = { kind: "organization", id: organizationId, organizationId } as const
  const linkedUser = await linked(organizationId, person, user)
  for (let nth = 0; nth < stays; nth++) {
    const timestamp = at(-60 * (nth + 2))
    const { exitToken } = want(await enter(linkedUser, where, { timestamp }), 201).json
    want(await leave(linkedUser, where, exitToken, { timestamp: at(-60 * (nth + 2) + 30) }), 202)
  }
  want(await enter(linkedUser, where), 201)
  return { user: linkedUser, where, person }
}

/** Sends a request for an export, and leaves once the answer begins. */
const leaveEarly = async (subject: object): Promise<number> => {
  const headers = { authorization: `Bearer ${await operator.token}`, "content-type": "application/json" }
  const url = `${sojourn.baseUrl}/operator/personaldata/export`
  const { status, body } = await fetch(url, { method: "POST", headers, body: JSON.stringify(subject) })
  await body?.cancel()
  return status
}

describe("exports and erasures in bulk", () => {
  it("refuse no other caller, and erase their subject and nothing else, under concurrent movements", async () => {
    const places = await Promise.all(Array.from({ length: ORGANIZATIONS }, () => authenticated()))
    const wanderer = sojourn.user("the-wanderer")
    const residents = (
      await Promise.all(
        places.map(async ({ id }) => [
          // One user is ada everywhere, with more accesses than are written at once.
          await resident(id, "ada", STAYS, wanderer),
          await resident(id, "alan", 2),
          await resident(id, "grace", 2)
        ])
      )
    ).flat()
    const leaving = residents.filter(({ person }) => person !== "grace")
    const staying = residents.filter(({ person }) => person === "grace")
    const before = await Promise.all(staying.map(({ where }) => ofPeople(owner, where, "grace")))
    const whole = want(await exported({ userId: wanderer.id }), 200).json
    expect(whole.organizationAccesses).toHaveLength(ORGANIZATIONS * STAYS)

    const counted = await organization()
    const bystanders = await startCounterReaders(sojourn.baseUrl, counted.id, owner)
    for (const answer of await Promise.all(Array.from({ length: 16 }, () => exported({ userId: wanderer.id })))) {
      // Each export is in the audit, and those before are in the export.
      const changing = { exportDate: 0, auditEntries: [] }
      expect({ ...want(answer, 200).json, ...changing }).toEqual({ ...whole, ...changing })
    }
    expect(await Promise.all(Array.from({ length: 16 }, () => leaveEarly({ userId: wanderer.id })))).toEqual(
      Array.from({ length: 16 }, () => 200)
    )
    const racing = leaving.flatMap(({ user, where, person }) => [
      enter(user, where),
      erase({ organizationId: where.organizationId, orgAuthServerId: person }),
      exported({ userId: user.id }),
      erase({ userId: user.id }),
      enter(user, where)
    ])
    const grace = staying.map(async ({ user, where }) => {
      const { exitToken } = want(await enter(user, where), 201).json
      want(await leave(user, where, exitToken), 202)
      want(await enter(user, where), 201)
    })
    for (const { status } of await Promise.all(racing)) expect([200, 201, 403]).toContain(status)
    await Promise.all(grace)
    const { answers, refused } = await bystanders.stop()
    expect([...refused]).toEqual([])
    expect(answers).toBeGreaterThan(0)

    for (const { where, person, user } of leaving) {
      for (const subject of [{ organizationId: where.organizationId, orgAuthServerId: person }, { userId: user.id }]) {
        // The audit may have the racing export, and has those of this loop.
        const { subject: _, exportDate, auditEntries, ...data } = want(await exported(subject), 200).json
        expect(Object.values(data).flat(), JSON.stringify(subject)).toEqual([])
      }
      want(await ofPeople(owner, where, person), 204)
    }
    for (const [nth, { where }] of staying.entries()) {
      expect(want(await ofPeople(owner, where, "grace"), 200).json).toEqual(
        expect.arrayContaining(want(before[nth]!, 200).json)
      )
      // Grace alone is inside: erasures ended the stays of the others, and hers is counted once.
      expect(await inside(where)).toBe(1)
      const ledger = want(await get(operator, `/operator/organization/${where.organizationId}/erasure`), 200).json
      expect(ledger).toEqual([expect.objectContaining({ people: PEOPLE.length - 1, accesses: STAYS + 2 })])
    }
  })
})
