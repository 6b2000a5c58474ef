/** The laws of every port are exported one by one. */
import { assert, it } from "@effect/vitest"
import { readdirSync } from "node:fs"
import { fileURLToPath } from "node:url"
import * as kit from "../src/index.ts"

const laws = fileURLToPath(new URL("../src/laws", import.meta.url))
const ports = readdirSync(laws, { withFileTypes: true })
  .filter((feature) => feature.isDirectory() && feature.name !== "shared")
  .flatMap(({ name }) => readdirSync(`${laws}/${name}`))
  .map((name) => name.replace(/\.ts$/, ""))

it.each(ports)("exports the laws of %s by themselves", (port) => {
  assert.isFunction((kit as Readonly<Record<string, unknown>>)[`${port.charAt(0).toLowerCase()}${port.slice(1)}Laws`])
})
