/** The warnings of a server that others can reach, about each limit on callers and owners that was not set. */
import { expect, it } from "vitest"
import { temporaryFolder } from "./folders.ts"
import { program } from "./faults/SojournProcess.ts"

const data = temporaryFolder()

const EVERYWHERE = "--host 0.0.0.0"
const [DIRECTORIES, WEBHOOKS, LIMIT] = ["no --directory-allow", "no --webhook-allow", "no --rate-limit"]
const DEMO = "the demo listens beyond this machine"

it.each([
  ["", []],
  [`--demo --demo-crowd 0 ${EVERYWHERE}`, [DIRECTORIES, WEBHOOKS, LIMIT, DEMO]],
  [`${EVERYWHERE} --webhook-allow https://hooks.example.org --rate-limit 300/1m`, [DIRECTORIES]]
])("a server with the flags %j warns of %j", async (flags, warnings) => {
  const args = flags.split(" ").filter((flag) => flag !== "")
  const server = program("serve", "--storage", "memory", "--port", "0", "--data", data, ...args)
  await server.listening
  const { out, err } = await server.end()
  // What the demo prints is for this machine: the link's address is its own, wherever the server listens.
  if (args.includes("--demo")) expect(out).toMatch(/^Open the page: +http:\/\/127\.0\.0\.1:\d+\/#token=/m)
  expect(
    err.match(/no --(?:directory-allow|webhook-allow|rate-limit)\b|the demo listens beyond this machine/g) ?? []
  ).toEqual(warnings)
})
