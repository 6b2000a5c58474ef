/** The directories that owners may set with `--directory-allow none`. */
import { it } from "vitest"
import { want, whole } from "../fixtures.ts"
import { forThisFile } from "../forThisFile.ts"
import { startTown } from "./Town.ts"

const town = forThisFile(await startTown({ directories: ["none"] }))

it("any directory that an owner sets with `--directory-allow none` is refused with 400, and an organization without one works", async () => {
  const id = await town.organization()
  for (const authenticationServerURL of ["ldaps://ldap.example.org", "ldaps://10.0.0.1", "ldap.example.org"]) {
    want(await town.put(town.owner, "/organization", { id, authenticationServerURL }), 400)
  }
  want(await town.enter(town.user(), whole(id)), 201)
})
