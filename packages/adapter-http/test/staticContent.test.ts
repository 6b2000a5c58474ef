/** Which clients get content compressed (RFC 9110, section 12.5.3). */
import { assert, it } from "@effect/vitest"
import { prefersGzip } from "../src/pipeline/staticContent.ts"

const FIELDS: ReadonlyArray<readonly [acceptEncoding: string | undefined, isPacked: boolean]> = [
  [undefined, false],
  ["", false],
  ["gzip", true],
  ["GZIP;Q=0.5", true],
  ["x-gzip", true],
  ["deflate, gzip;q=1.0, *;q=0.5", true],
  ["br", false],
  ["*", true],
  ["*;q=0.001", true],
  ["*;q=0", false],
  ["gzip;q=0", false],
  ["gzip;q=0.000", false],
  ["gzip;q=0, *", false],
  ["*, gzip;q=0", false],
  ["*;q=1, gzip ; q=0", false],
  ["identity", false],
  ["identity;q=1, gzip;q=0.5", false],
  ["identity;q=0.5, gzip;q=0.8", true],
  ["gzip, identity", true],
  ["identity;q=0, gzip;q=0.1", true],
  ["identity;q=0, *", true],
  ["identity;q=0", false],
  ["identity;q=0, gzip;q=0", false]
]

it.each(FIELDS)("Accept-Encoding: %s", (acceptEncoding, isPacked) => {
  assert.strictEqual(prefersGzip(acceptEncoding), isPacked)
})
