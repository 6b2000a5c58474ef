/** How the laws of `AdministratorAccounts` read the accounts that a name finds. */
import { type AdministratorName, Mail } from "@sojourn/core"
import * as Effect from "effect/Effect"
import { anOrganization } from "../../shared/fixtures.ts"
import { factsOf } from "../PermissionStore/changes.ts"

/** The same mail address, written otherwise. */
export const upperCase = (mail: Mail) => Mail.make(mail.toUpperCase())

/** The accounts that a name leads to, as changes of permissions see them. */
export const accountsOf = (name: AdministratorName) =>
  Effect.map(
    Effect.flatMap(anOrganization(), (fixture) => factsOf(fixture, name)),
    ({ byId, byMail }) => [byId, byMail]
  )
