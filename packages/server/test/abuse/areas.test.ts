/** Areas that are expensive to parse, compare or list: the effect on other callers, and the limits that apply. */
import { describe, expect, it } from "vitest"
import { rectangle } from "../../src/demo/areas.ts"
import { GROUNDS, makeFixtures, square, want } from "../fixtures.ts"
import { type Answer, sojournForThisFile } from "../harness.ts"
import { startCounterReaders } from "./bystander.ts"
import { saw, SAWS_GROUND } from "./saws.ts"

const sojourn = await sojournForThisFile()
const fixtures = makeFixtures(sojourn)
const { owner, organization, place, post, put, patch, get } = fixtures

const PROBLEM = { headers: { accept: "application/problem+json" } }

/** Callers who read a counter of an organization that is not attacked. */
const bystanders = async () => {
  const { id } = await organization()
  return startCounterReaders(sojourn.baseUrl, id, owner)
}

/** An organization whose area covers all saws. */
const sawsGround = async () => {
  const { west, south, east, north } = SAWS_GROUND
  return (await organization({ trackingArea: rectangle(west, south, east, north) })).id
}

/** The text of an area, padded to a length in bytes. */
const padded = (area: string, bytes: number): string => area + " ".repeat(bytes - Buffer.byteLength(area))
const KIB = 1024

const detail = ({ json }: Answer): string => json.detail

describe("areas that are expensive to compare", () => {
  const SAWS = 12

  it(`are compared while other callers are served: ${SAWS} adjacent saws, created and changed`, async () => {
    const organizationId = await sawsGround()
    const watching = await bystanders()
    const saws = await Promise.all(
      Array.from({ length: SAWS }, async (_, index) => (await place(organizationId, saw(index))).id as number)
    )
    // A request that is sent after a saw is answered before the saw is.
    const order: Array<string> = []
    const drawn = put(owner, "/place", { id: saws[0], trackingArea: saw(0, 0.9) }).then((answer) => {
      order.push("saw")
      return answer
    })
    await get(owner, `/presence/organization/${organizationId}/counter`).then(() => order.push("counter"))
    want(await drawn, 200, "another saw")
    expect(order).toEqual(["counter", "saw"])
    const again = await Promise.all(
      saws.slice(1, 5).map((id, index) => put(owner, "/place", { id, trackingArea: saw(index + 1, 0.9) }))
    )
    for (const answer of again) want(answer, 200, "another saw")
    const moved = await patch(owner, `/organization/${organizationId}/trackingArea`, undefined, {
      form: { trackingArea: rectangle(9, 39, 15, 45) }
    })
    want(moved, 200, "another ground of saws")
    const overlapping = await put(owner, "/place", { id: saws[0], trackingArea: saw(1, 0.8) })
    expect(overlapping.status, "the checks are as exact as ever").toBe(400)
    const { refused, answers } = await watching.stop()
    expect([...refused]).toEqual([])
    expect(answers).toBeGreaterThan(0)
  })
})

describe("the limits of one organization", () => {
  it("count the text of each area with its white space", async () => {
    const { id: organizationId } = await organization()
    const [fits, tooLong] = [padded(square(0), 128 * KIB), padded(square(1), 128 * KIB + 1)]
    want(await post(owner, "/place", { organizationId, trackingArea: fits }), 201, "a text of 128 KiB")
    const refused = await post(owner, "/place", { organizationId, trackingArea: tooLong }, PROBLEM)
    want(refused, 400, "a longer text")
    expect(detail(refused)).toMatch(/131073 bytes.*131072/)
    want(await put(owner, "/organization", { id: organizationId, trackingArea: padded(GROUNDS, 129 * KIB) }), 400)
  })
})

describe("long lists", () => {
  it("are complete and ordered, and other callers are served meanwhile", async () => {
    const { id: organizationId } = await organization()
    const texts = Array.from({ length: 24 }, (_, index) => padded(square(index), (index % 5 === 0 ? 1 : 100) * KIB))
    for (const [index, trackingArea] of texts.entries()) {
      want(await post(owner, "/place", { organizationId, trackingArea, name: `"${index}"` }), 201)
    }
    const watching = await bystanders()
    const user = sojourn.user("reader")
    const path = `/place/organization/${organizationId}`
    const lists = await Promise.all(Array.from({ length: 8 }, () => get(user, path)))
    for (const list of lists) {
      want(list, 200)
      expect(list.json.map((place: any) => [place.name, place.trackingArea])).toEqual(
        texts.map((text, index) => [`"${index}"`, text])
      )
      expect(list.json.every((place: any) => place.organizationId === organizationId)).toBe(true)
    }
    const head = await sojourn.call(user, "HEAD", path)
    expect([head.status, head.text]).toEqual([200, ""])
    const many = await get(user, "/organization")
    const ids = want(many, 200).json.map(({ id }: any) => id)
    expect(ids).toEqual([...new Set(ids)].sort((one: any, other: any) => one - other))
    expect([...(await watching.stop()).refused]).toEqual([])
    // Organizations are listed by the same mechanism.
    for (let n = 0; n < 4; n++) await organization({ trackingArea: padded(GROUNDS, 100 * KIB) })
    const all = want(await get(user, "/organization"), 200).json
    expect(all.slice(0, ids.length).map(({ id }: any) => id)).toEqual(ids)
    expect(all.slice(-4).every(({ trackingArea }: any) => trackingArea.length === 100 * KIB)).toBe(true)
  })

  it("of favorites are streamed page by page", async () => {
    const user = sojourn.user("collector")
    const ids: Array<number> = []
    for (let n = 0; n < 12; n++) {
      const { id } = await organization({ trackingArea: padded(GROUNDS, 100 * KIB) })
      ids.unshift(id)
    }
    for (const organizationId of ids) want(await post(user, "/favorite/addfavorite", { organizationId }), 201)
    const watching = await bystanders()
    const path = `/favorite/${user.id}`
    const lists = await Promise.all(Array.from({ length: 8 }, () => get(user, path)))
    for (const list of lists) {
      expect(want(list, 200).json.map(({ id }: any) => id)).toEqual(ids)
      // A list that is sent as a whole would have a Content-Length.
      expect(list.headers["content-length"]).toBeUndefined()
    }
    const head = await sojourn.call(user, "HEAD", path)
    expect([head.status, head.text]).toEqual([200, ""])
    expect([...(await watching.stop()).refused]).toEqual([])
  })
})
