/** Copies of the stores in memory: what is stored goes back to a copy, as often as it is wanted. */
import type { ModelRequest } from "@sojourn/testing"
import * as Effect from "effect/Effect"
import { expect, it } from "vitest"
import { oracle } from "./oracle.ts"

const by = { kind: "administrator", id: "olga", mail: "olga@example.org" } as const
const at = { organization: "o" } as const
const drawing = { rectangle: { left: 0, bottom: 0, right: 4, top: 4 }, form: "polygon" } as const

const CREATED: ModelRequest = {
  _tag: "CreateOrganization",
  by: { kind: "operator", id: "opal" },
  ...at,
  title: "Works",
  mode: "anonymous",
  drawing,
  owner: { administrator: by.id, mail: by.mail }
}
const entered = (stay: string): ModelRequest => ({ _tag: "Enter", by: { kind: "user", id: "ann" }, at, stay })
const LEFT: ModelRequest = { _tag: "Leave", by: { kind: "user", id: "ann" }, at, token: { of: "first" } }
const READ: ReadonlyArray<ModelRequest> = [
  { _tag: "ReadCounter", by, at },
  { _tag: "ListPlaces", by, ...at },
  { _tag: "ListMusters", by, ...at },
  { _tag: "ReadAccessesByToken", by: { kind: "user", id: "ann" }, at, tokens: [{ of: "first" }] },
  { _tag: "ReadFeed", by, ...at }
]

it("restores a copy and repeats the same answers from it", async () => {
  const program = Effect.gen(function* () {
    const { serve, save } = yield* oracle
    const all = (requests: ReadonlyArray<ModelRequest>) => Effect.forEach(requests, serve)
    yield* all([CREATED, entered("first")])
    const back = yield* save
    const before = yield* all(READ)
    yield* back
    const goOn = all([
      LEFT,
      entered("second"),
      { _tag: "CreatePlace", by, ...at, place: "p", drawing },
      { _tag: "StartMuster", by, ...at, muster: "m", kind: "drill" },
      { _tag: "Publish", by },
      ...READ
    ])
    const first = yield* goOn
    yield* back
    expect(yield* all(READ)).toEqual(before)
    yield* back
    expect(yield* goOn).toEqual(first)
    expect(first.map(({ name }) => name)).toEqual(Array.from(first, () => "Done"))
  })
  await Effect.runPromise(Effect.scoped(program))
})
