import { type Directories, layerDirectories } from "@sojourn/adapter-memory"
import type { OrgAuthServerId } from "@sojourn/core"
import { Redacted } from "effect"

/** The authentication server of the demo: a directory in memory under a reserved name (RFC 6761). */
export const DEMO_SERVER = "ldaps://directory.demo.invalid/ou=people,dc=demo?uid?sub"

/** What every person of the demo proves their account with. */
export const DEMO_PASSWORD = "demo-password"

const NAMES = { ada: ["Ada", "Lovelace"], alan: ["Alan", "Turing"], grace: ["Grace", "Hopper"] } as const

const directories: Directories = new Map([
  [
    DEMO_SERVER,
    new Map(
      Object.entries(NAMES).map(([id, [name, surname]]) => [
        id as OrgAuthServerId,
        { name, surname, password: Redacted.make(DEMO_PASSWORD) }
      ])
    )
  ]
])

/** The demo's people. Every other authentication server cannot be reached. */
export const layerDemoDirectory = layerDirectories(directories)
