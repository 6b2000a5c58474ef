import { assert, describe, it } from "@effect/vitest"
import * as core from "../../src/index.ts"

/** Every tagged error that core exports, with the name that it is exported by. */
const refusals = Object.entries(core).flatMap(([name, exported]) =>
  typeof exported === "function" && exported.prototype instanceof Error
    ? [[name, exported as unknown as new (fields: object) => { readonly _tag: string }] as const]
    : []
)

describe("a refusal", () => {
  it("is called like its class, which is what handlers match on", () => {
    assert.isAbove(refusals.length, 30)
    for (const [name, Refusal] of refusals) assert.strictEqual(new Refusal({})._tag, name)
  })
})
