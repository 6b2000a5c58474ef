import { expect, it } from "vitest"
import { program } from "../identity/Program.ts"

/** The number of warnings at the start that callers are not limited. */
const warnings = async (...flags: ReadonlyArray<string>) => {
  const server = program("serve", "--storage", "memory", "--port", "0", ...flags)
  await server.listening
  await server.end()
  return server.said().match(/no --rate-limit/g)?.length ?? 0
}

it.each([
  { flags: ["--host", "0.0.0.0"], times: 1 },
  { flags: ["--host", "0.0.0.0", "--rate-limit-address", "20/1m"], times: 1 },
  { flags: ["--host", "0.0.0.0", "--rate-limit", "300/1m"], times: 0 },
  { flags: ["--host", "localhost"], times: 0 },
  { flags: [], times: 0 }
])("a server with $flags warns $times times that callers are not limited", async ({ flags, times }) => {
  expect(await warnings(...flags)).toBe(times)
})
