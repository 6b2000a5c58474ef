/** The directories that owners may set with `--directory-allow none`. */
import { afterAll, beforeAll, describe, it } from "vitest"
import { want, whole } from "../fixtures.ts"
import { startTown, type Town } from "./Town.ts"

describe("with `--directory-allow none`", () => {
  let town: Town
  beforeAll(async () => {
    town = await startTown({ directories: ["none"] })
  })
  afterAll(() => town?.stop())

  it("any directory that an owner sets is refused with 400, and an organization without one works", async () => {
    const id = await town.organization()
    for (const authenticationServerURL of ["ldaps://ldap.example.org", "ldaps://10.0.0.1", "ldap.example.org"]) {
      want(await town.put(town.owner, "/organization", { id, authenticationServerURL }), 400)
    }
    want(await town.enter(town.user(), whole(id)), 201)
  })
})
