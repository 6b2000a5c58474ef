/** Floor plans over HTTP (spec: floorplans#floor-plans). */
import { describe, expect, it } from "vitest"
import { makeFixtures, NOWHERE, want } from "./fixtures.ts"
import { type Bearer, sojournForThisFile } from "./harness.ts"
import type { Sent } from "./httpClient.ts"
import { IMAGES } from "./images.ts"

const sojourn = await sojournForThisFile()
const { owner, operator, organization, bind, call, get } = makeFixtures(sojourn)
const PNG = IMAGES["image/png"]
const BOX = "west=11&south=45&east=12&north=46"

const pathOf = (id: number, query: string) => `/floorplan/organization/${id}?${query}`
const put = (id: number, query: string, sent: Sent = {}, who: Bearer = owner) =>
  call(who, "PUT", pathOf(id, query), { body: PNG, type: "image/png", ...sent })
const list = (id: number) => get(owner, `/floorplans/organization/${id}`)
const image = async (id: number, query: string, headers: Record<string, string> = {}, who: Bearer = owner) =>
  fetch(`${sojourn.baseUrl}${pathOf(id, query)}`, {
    headers: { authorization: `Bearer ${await who.token}`, ...headers }
  })

describe("floor plans", () => {
  it("are kept, read, listed, replaced and removed", async () => {
    const { id } = await organization()
    want(await list(id), 204)
    const before = want(await get(owner, `/organization/${id}`), 200)
    expect(before.status).toBe(200)
    const kept = { organizationId: id, level: 0, west: 11, south: 45, east: 12, north: 46, rotation: 0 }
    expect(want(await put(id, `level=0&${BOX}&rotation=0`), 200).json).toEqual({
      ...kept,
      type: "image/png",
      bytes: PNG.length
    })
    const read = await image(id, "level=0")
    expect(read.status).toBe(200)
    expect(new Uint8Array(await read.arrayBuffer())).toEqual(PNG)
    expect(Object.fromEntries(read.headers)).toMatchObject({
      "content-type": "image/png",
      "content-security-policy": "sandbox; default-src 'none'",
      "x-content-type-options": "nosniff"
    })
    const etag = read.headers.get("etag")!
    expect(etag).toMatch(/^"[0-9a-f]+"$/)
    expect((await image(id, "level=0", { "if-none-match": etag })).status).toBe(304)

    const webp = { body: IMAGES["image/webp"], type: "image/webp" }
    want(await put(id, `level=0&${BOX}&rotation=-12.5`, webp), 200)
    expect((await image(id, "level=0", { "if-none-match": etag })).headers.get("content-type")).toBe("image/webp")
    want(await put(id, `level=-1&${BOX}`, { body: IMAGES["image/jpeg"], type: "image/jpeg" }), 200)
    expect(want(await list(id), 200).json).toEqual([
      { ...kept, level: -1, type: "image/jpeg", bytes: IMAGES["image/jpeg"].length },
      { ...kept, rotation: -12.5, type: "image/webp", bytes: IMAGES["image/webp"].length }
    ])
    want(await call(owner, "DELETE", pathOf(id, "level=0")), 204)
    want(await call(owner, "DELETE", pathOf(id, "level=0")), 404)
    expect((await image(id, "level=0")).status).toBe(404)
    expect(want(await list(id), 200).json).toHaveLength(1)
  })

  it("are refused by their form, and nothing changes", async () => {
    const { id } = await organization()
    for (const query of [
      "level=0",
      `level=0.5&${BOX}`,
      `level=301&${BOX}`,
      `level=x&${BOX}`,
      `level=0&${BOX}&rotation=400`,
      "west=12&south=45&east=11&north=46",
      "west=11&south=45&east=12&north=100",
      `west=11&${BOX}`,
      "west=&south=45&east=12&north=46"
    ])
      want(await put(id, query), 400, query)
    want(await put(id, BOX, { body: IMAGES["image/jpeg"] }), 400)
    want(await put(id, BOX, { body: new Uint8Array(0) }), 400)
    want(await put(id, BOX, { body: new Uint8Array(1024 * 1024 + 1) }), 413)
    for (const type of ["image/gif", "image/svg+xml", "application/json", "text/plain"])
      want(await put(id, BOX, { type }), 415, type)
    want(await list(id), 204)
    want(await get(owner, pathOf(id, "level=x")), 400)
  })

  it("are for managers, and read by viewers", async () => {
    const { id } = await organization()
    const viewer = await bind(id, sojourn.administrator("viewer-of-plans"), "viewer")
    const manager = await bind(id, sojourn.administrator("manager-of-plans"), "manager")
    const stranger = sojourn.administrator("stranger-to-plans")
    want(await put(id, BOX, {}, viewer), 403)
    want(await put(id, BOX, {}, manager), 200)
    expect((await image(id, "level=0", {}, viewer)).status).toBe(200)
    want(await call(viewer, "DELETE", pathOf(id, "level=0")), 403)
    for (const who of [stranger, operator, sojourn.user("phone")]) {
      want(await get(who, pathOf(id, "level=0")), 403)
      want(await put(id, BOX, {}, who), 403)
    }
    want(await put(NOWHERE, BOX), 404)
  })

  it("are at most 50 for an organization", async () => {
    const { id } = await organization()
    for (let level = 0; level < 50; level++) want(await put(id, `level=${level}&${BOX}`), 200)
    want(await put(id, `level=50&${BOX}`), 409)
    want(await put(id, `level=7&${BOX}&rotation=90`), 200)
    expect(want(await list(id), 200).json).toHaveLength(50)
  })
})
