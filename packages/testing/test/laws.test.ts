/** The laws of every port are exported one by one. */
import { assert, it } from "@effect/vitest"
import { readdirSync } from "node:fs"
import { fileURLToPath } from "node:url"
import * as kit from "../src/index.ts"

const shared = ["given", "outcome", "stores", "suite"]
const ports = readdirSync(fileURLToPath(new URL("../src/laws", import.meta.url)))
  .map((name) => name.replace(/\.ts$/, ""))
  .filter((name) => !shared.includes(name))

it.each(ports)("exports the laws of %s by themselves", (port) => {
  assert.isFunction((kit as Readonly<Record<string, unknown>>)[`${port.charAt(0).toLowerCase()}${port.slice(1)}Laws`])
})
