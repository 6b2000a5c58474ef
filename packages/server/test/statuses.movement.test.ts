/** Movements of anonymous users over HTTP. */
import { describe, expect, it } from "vitest"
import { at, type Kind, makeFixtures, NOWHERE, want } from "./fixtures.ts"
import { sojournForThisFile } from "./harness.ts"

const sojourn = await sojournForThisFile()
const fixtures = makeFixtures(sojourn)
const { premises, enter, leave, inside, ofPeople, owner, post, get } = fixtures
const phone = sojourn.user("phone")

describe.each(["organization", "place"] as const)(
  "anonymous movements at one %s (spec: stays#movements)",
  (kind: Kind) => {
    it("an entrance answers exactly movementType, the id, the timestamp and an exitToken; the 202 repeats the movement with its token", async () => {
      const where = await premises(kind)
      const entrance = want(await enter(phone, where, { timestamp: at(-60) }), 201).json
      expect(entrance).toEqual({
        movementType: 1,
        [`${kind}Id`]: where.id,
        timestamp: at(-60),
        exitToken: entrance.exitToken
      })
      const exit = want(await leave(phone, where, entrance.exitToken, { timestamp: at(-30) }), 202).json
      expect(exit).toEqual({ ...entrance, movementType: -1, timestamp: at(-30) })
    })

    it("an Idempotency-Key may be any header value, also a long one", async () => {
      const where = await premises(kind)
      for (const value of ["a b", "x".repeat(4000), "ü", '"quoted"', "0"]) {
        const headers = { "idempotency-key": Buffer.from(value, "utf8").toString("latin1") }
        const first = want(await enter(phone, where, {}, { headers }), 201).json
        expect(want(await enter(phone, where, {}, { headers }), 201).json.exitToken).toBe(first.exitToken)
      }
    })

    it("unknown premises: 400", async () => {
      want(await enter(phone, { kind, id: NOWHERE }), 400)
      want(await leave(phone, { kind, id: NOWHERE }, "x"), 400)
    })

    it("a token that is unknown, forged, or of other premises: 400, and the counter is unchanged", async () => {
      const [where, elsewhere] = [await premises(kind), await premises(kind)]
      const { exitToken } = want(await enter(phone, where), 201).json
      const foreign = want(await enter(phone, elsewhere), 201).json.exitToken
      const forged = (exitToken[30] === "A" ? "B" : "A") as string
      for (const token of [
        "",
        "x",
        foreign,
        `${exitToken}A`,
        exitToken.slice(1),
        exitToken.slice(0, 30) + forged + exitToken.slice(31),
        ` ${exitToken}`
      ]) {
        want(await leave(phone, where, token), 400)
      }
      expect(await inside(where)).toBe(1)
      expect(await inside(elsewhere)).toBe(1)
    })

    it("exit before its entrance: 400; at its instant: 202; timestamp over 5 minutes in the future: 400", async () => {
      const where = await premises(kind)
      const { exitToken } = want(await enter(phone, where, { timestamp: at(-60) }), 201).json
      want(await leave(phone, where, exitToken, { timestamp: at(-61) }), 400)
      want(await leave(phone, where, exitToken, { timestamp: new Date(Date.now() + 310_000).toISOString() }), 400)
      expect(await inside(where)).toBe(1)
      want(await leave(phone, where, exitToken, { timestamp: at(-60) }), 202)
      want(await enter(phone, where, { timestamp: new Date(Date.now() + 310_000).toISOString() }), 400)
      want(await enter(phone, where, { timestamp: new Date(Date.now() + 280_000).toISOString() }), 201)
    })

    it.each([
      ["2024-02-29T23:59:59Z", "2024-02-29T23:59:59.000Z"],
      ["2024-01-15T10:00:00.5+05:30", "2024-01-15T04:30:00.500Z"]
    ])("%s is answered in UTC with milliseconds", async (timestamp, answered) => {
      expect(want(await enter(phone, await premises(kind), { timestamp }), 201).json.timestamp).toBe(answered)
    })

    it.each(["2024-01-15", "2023-02-29T10:00:00Z", ""])("%j is no timestamp: 400", async (timestamp) => {
      want(await enter(phone, { kind, id: NOWHERE }, { timestamp }), 400)
    })

    it("`orgAuthServerId` sent to an anonymous organization is ignored and never stored", async () => {
      const where = await premises(kind)
      const { exitToken, ...rest } = want(await enter(phone, where, { orgAuthServerId: "ada" }), 201).json
      expect(rest).not.toHaveProperty("orgAuthServerId")
      expect(want(await leave(phone, where, exitToken, { orgAuthServerId: "alan" }), 202).json).not.toHaveProperty(
        "orgAuthServerId"
      )
      want(await ofPeople(owner, where, "ada,alan"), 204)
    })

    it("the counter of empty premises is 0; the answer has exactly the id and the counter", async () => {
      const where = await premises(kind)
      expect(want(await get(owner, `/presence/${kind}/${where.id}/counter`), 200).json).toEqual({
        [`${kind}Id`]: where.id,
        counter: 0
      })
    })
  }
)

describe("a place and its organization (spec: stays#separate-stays)", () => {
  it("the id field of the other kind of premises is 400", async () => {
    const { id } = await fixtures.organization()
    want(await post(phone, "/movement/track/place", { movementType: 1, organizationId: id }), 400)
    want(await post(phone, "/movement/track/organization", { movementType: 1, placeId: id }), 400)
    want(await post(phone, "/movement/track/organization", { movementType: 1, id }), 400)
  })
})
