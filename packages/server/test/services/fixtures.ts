/** Who and what the tests of use cases are about. */
import { Administrator, AdministratorId, Mail, Operator, OperatorId, Organizations } from "@sojourn/core"
import { rectangleArea, wholeGrid } from "@sojourn/testing"
import * as Redacted from "effect/Redacted"

export const AREA = rectangleArea(wholeGrid(2)).text
export const OPERATOR = Operator(OperatorId.make("operator"))
export const SERVER = "ldaps://directory.example.org/dc=example?uid?sub"

/** An administrator with a mail address. */
export const administrator = (name: string) =>
  Administrator(AdministratorId.make(name), Mail.make(`${name}@example.org`))
export const OWNER = administrator("owner")

/** A new organization of the owner's, which may ask its authentication server. */
export const anOrganization = (trackingMode: "anonymous" | "authenticated") =>
  Organizations.use((organizations) =>
    organizations.create(
      OPERATOR,
      { name: `${trackingMode} people`, trackingMode, trackingArea: AREA, authenticationServerURL: SERVER },
      { administratorId: OWNER.administratorId, mail: OWNER.mail! }
    )
  )

/** What somebody proves an account with. */
export const credentials = (username = "ada", password = "secret") => ({ username, password: Redacted.make(password) })
