/** The file of the issuer's key, which several processes may create and which may be damaged. */
import { Effect } from "effect"
import { readdirSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { expect, it } from "vitest"
import { temporaryFolder } from "./folders.ts"
import { issuerKey } from "../src/index.ts"

const folder = temporaryFolder()

it("concurrent calls that create the issuer's key all return the same key", async () => {
  const data = join(folder, "shared")
  const keys = await Effect.runPromise(
    Effect.all(
      Array.from({ length: 16 }, () => issuerKey(data)),
      { concurrency: "unbounded" }
    )
  )
  expect(new Set(keys.map(({ publicJwk }) => publicJwk.kid)).size).toBe(1)
  expect(readdirSync(data)).toEqual(["issuer-key.json"])
})

it("a file without a valid key fails with a one-line message, and is not overwritten", async () => {
  for (const text of ["", "{}", "not JSON", '{"kty":"OKP","crv":"Ed25519","x":"a","d":"b"}']) {
    writeFileSync(join(folder, "issuer-key.json"), text)
    const { message } = await Effect.runPromise(Effect.flip(issuerKey(folder)))
    expect(message).toContain("issuer-key.json")
    expect(message).not.toContain("\n")
  }
})
