/** The endpoints that the tracker names itself are those of the interface. */
import { ENDPOINTS as ALL } from "@sojourn/client/endpoints"
import { assert, it } from "vitest"
import { ENDPOINTS } from "../src/endpoints.ts"

type Table = Readonly<Record<string, Readonly<Record<string, ReadonlyArray<string>>>>>

const called = Object.entries<Table[string]>(ENDPOINTS).flatMap(([group, endpoints]) =>
  Object.entries(endpoints).map(([name, endpoint]) => ({ group, name, endpoint }))
)

it.each(called)("calls $group.$name as the client does", ({ group, name, endpoint: [method, path, , kind = ""] }) => {
  const [clientMethod, clientPath, , clientKind] = (ALL as Table)[group]![name]!
  assert.deepEqual([method, path, kind], [clientMethod, clientPath, clientKind])
})
