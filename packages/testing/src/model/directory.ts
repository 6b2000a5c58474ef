/** The one authentication server of model runs, with all of its people. */
import {
  type AuthenticationServerUrl,
  type DirectoryCredentials,
  DirectoryRefused,
  DirectoryUnreachable,
  type OrgAuthServerId,
  OrganizationDirectory
} from "@sojourn/core"
import { Effect, Layer, Redacted } from "effect"

export const KNOWN_SERVER = "ldaps://directory.example.org/dc=example?uid?sub"
export const PASSWORD = "open sesame"

/** In the order in which the server lists them. */
const PEOPLE = [
  { orgAuthServerId: "ada" as OrgAuthServerId, name: "Ada", surname: "Lovelace" },
  { orgAuthServerId: "alan" as OrgAuthServerId, name: "Alan", surname: "Turing" },
  { orgAuthServerId: "grace" as OrgAuthServerId, name: "Grace", surname: "Hopper" }
]

const prove = (
  server: AuthenticationServerUrl,
  { username, password }: DirectoryCredentials
): Effect.Effect<OrgAuthServerId, DirectoryRefused | DirectoryUnreachable> => {
  if (server.text !== KNOWN_SERVER) return Effect.fail(new DirectoryUnreachable({ reason: "no answer" }))
  const person = PEOPLE.find((one) => one.orgAuthServerId === username)
  return person !== undefined && Redacted.value(password) === PASSWORD
    ? Effect.succeed(person.orgAuthServerId)
    : Effect.fail(new DirectoryRefused())
}

export const layerModelDirectory = Layer.succeed(OrganizationDirectory, {
  authenticate: prove,
  information: (server, credentials, ids) =>
    Effect.as(
      prove(server, credentials),
      ids === "everyone"
        ? PEOPLE
        : [...new Set(ids)].flatMap((id) => PEOPLE.filter(({ orgAuthServerId }) => orgAuthServerId === id))
    )
})
