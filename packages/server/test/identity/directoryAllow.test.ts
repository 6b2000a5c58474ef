/** What `--directory-allow`, and the rules without it, refuse of the directories that owners set. */
import { afterAll, beforeAll, describe, expect, it } from "vitest"
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

describe("an id attribute with secret values", () => {
  let town: Town
  beforeAll(async () => {
    town = await startTown({})
  })
  afterAll(() => town?.stop())

  it("is refused with 400, and the organization is unchanged", async () => {
    const url = "ldaps://ldap.example.org/dc=example"
    const id = await town.organization(`${url}?uid`)
    for (const attribute of ["userPassword", "UNICODEPWD", "2.5.4.35"]) {
      want(await town.put(town.owner, "/organization", { id, authenticationServerURL: `${url}?${attribute}` }), 400)
    }
    const kept = want(await town.get(town.owner, `/organization/${id}`), 200)
    expect(kept.json.authenticationServerURL).toBe(`${url}?uid`)
  })
})
