import { assert, describe, it } from "@effect/vitest"
import { changesBetween, entryForSubject, type Fields, keptTrackingArea } from "@sojourn/core"
import { Schema } from "effect"
import { createHash } from "node:crypto"

const AREA = keptTrackingArea('{"type":"Polygon","coordinates":[[[0,0],[1,0],[1,1],[0,0]]]}')
const OTHER = keptTrackingArea('{"type":"Polygon","coordinates":[[[0,0],[2,0],[2,2],[0,0]]]}')

const Values = Schema.Record(
  Schema.Literals(["name", "level", "isOpen"]),
  Schema.Union([Schema.Literals(["Hall", "Foyer", 0, 1, true, false]), Schema.Undefined])
)

describe("the changes between two versions", () => {
  it.prop(
    "has the fields that differ, from what they were to what they are",
    { before: Values, after: Values },
    ({ before, after }) => {
      const changes = changesBetween(before as Fields, after as Fields) ?? {}
      for (const name of ["name", "level", "isOpen"] as const) {
        const [was, is] = [before[name], after[name]]
        const expected = { ...(was !== undefined && { from: was }), ...(is !== undefined && { to: is }) }
        assert.deepStrictEqual(changes[name], was === is ? undefined : (expected as object))
      }
    }
  )

  it("keeps of an area how many points it has, and the SHA-256 of its text", () => {
    const sha256 = (text: string) => createHash("sha256").update(text).digest("hex")
    assert.deepStrictEqual(changesBetween({ trackingArea: AREA }, { trackingArea: OTHER }), {
      trackingArea: { from: { points: 4, sha256: sha256(AREA.text) }, to: { points: 4, sha256: sha256(OTHER.text) } }
    })
    assert.isUndefined(changesBetween({ trackingArea: AREA }, { trackingArea: keptTrackingArea(AREA.text) }))
  })

  it("writes ids as numbers", () => {
    assert.deepStrictEqual(changesBetween({}, { parentId: 7n }), { parentId: { to: 7 } })
  })
})

describe("an entry in an export", () => {
  const entry = { id: 1n, at: 0, actor: { kind: "administrator", id: "ada" }, action: "permission.create" } as never
  const targetOf = (target: { readonly kind: string; readonly id: string }) =>
    entryForSubject({ kind: "administrator", id: "ada" })({ ...(entry as object), target } as never).target

  it("does not tell on which other person the subject acted", () => {
    for (const kind of ["administrator", "operator", "person", "user"]) {
      assert.isUndefined(targetOf({ kind, id: "grace" }), kind)
    }
    for (const target of [
      { kind: "administrator", id: "ada" },
      { kind: "place", id: "7" }
    ]) {
      assert.deepStrictEqual(targetOf(target), target)
    }
  })
})
