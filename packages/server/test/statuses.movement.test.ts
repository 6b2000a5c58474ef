/** Movements of anonymous users over HTTP. */
import { describe, expect, it } from "vitest"
import { at, type Kind, makeFixtures, NOWHERE, want } from "./fixtures.ts"
import { sojournForThisFile } from "./harness.ts"

const sojourn = await sojournForThisFile()
const fixtures = makeFixtures(sojourn)
const { premises, enter, leave, inside, ofPeople, owner, post, get, call } = fixtures
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

    it("a timestamp of more than ten years ago, as a clock has that was never set: 400; of almost ten years: as any other", async () => {
      const where = await premises(kind)
      const [decade, day] = [3_653 * 86_400, 86_400]
      const { exitToken } = want(await enter(phone, where, { timestamp: at(day - decade) }), 201).json
      for (const timestamp of ["1970-01-01T00:00:00Z", "1995-06-01T12:00:00Z", at(-60 - decade)]) {
        want(await enter(phone, where, { timestamp }), 400)
        want(await leave(phone, where, exitToken, { timestamp }), 400)
      }
      expect(await inside(where)).toBe(1)
      want(await leave(phone, where, exitToken, { timestamp: at(day - decade) }), 202)
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

describe("a problem speaks of the kind of movement that was sent (spec: http#kind-of-movement)", () => {
  it.each([
    ["an entrance with a date", { movementType: 1, timestamp: "2024-01-15" }, ["timestamp"]],
    ["an entrance by name with a number", { movementType: "entrance", timestamp: 5 }, ["timestamp"]],
    ["an entrance without an id", { movementType: 1, organizationId: undefined }, ["organizationId"]],
    ["an entrance that leaves nothing", { movementType: 1, leaves: [] }, ["leaves"]],
    ["an exit without its token", { movementType: -1 }, ["exitToken"]],
    ["an exit by name with a date", { movementType: "exit", exitToken: "x", timestamp: "2024-01-15" }, ["timestamp"]],
    ["an exit without an id", { movementType: -1, organizationId: null, exitToken: "x" }, ["organizationId"]],
    ["neither", { movementType: 0, timestamp: "2024-01-15" }, ["movementType", "movementType"]],
    ["no kind", { timestamp: "2024-01-15" }, ["movementType"]]
  ])("%s", async (_, sent, expected) => {
    const json = { organizationId: NOWHERE, ...sent }
    const headers = { accept: "application/problem+json" }
    const { detail } = want(await call(phone, "POST", "/movement/track/organization", { json, headers }), 400).json
    expect(detail.split("; ").map((part: string) => part.split(/[.:]/)[0])).toEqual(expected)
  })
})

describe("a place and its organization (spec: stays#separate-stays)", () => {
  it("the id field of the other kind of premises is 400", async () => {
    const { id } = await fixtures.organization()
    want(await post(phone, "/movement/track/place", { movementType: 1, organizationId: id }), 400)
    want(await post(phone, "/movement/track/organization", { movementType: 1, placeId: id }), 400)
    want(await post(phone, "/movement/track/organization", { movementType: 1, id }), 400)
  })
})
