import {
  type AuthenticationServerUrl,
  type DirectoryCredentials,
  DirectoryRefused,
  DirectoryUnreachable,
  LARGEST_DIRECTORY_ANSWER,
  type OrgAuthServerId,
  OrganizationDirectory,
  type PersonInformation
} from "@sojourn/core"
import { Effect, Layer, Redacted } from "effect"

/** A person of a directory in memory, with the password that proves it. */
export interface Person {
  readonly name: string
  readonly surname: string
  readonly password: Redacted.Redacted<string>
}

/** The people of each server, by id. Servers are known by their URLs as organizations give them. */
export type Directories = ReadonlyMap<string, ReadonlyMap<OrgAuthServerId, Person>>

const peopleOf = (directories: Directories, server: AuthenticationServerUrl) => {
  const people = directories.get(server.text)
  return people === undefined
    ? Effect.fail(new DirectoryUnreachable({ reason: "no directory in memory has this URL" }))
    : Effect.succeed(people)
}

/**
 * Authentication servers in memory, for tests and demos. Every account with the right password may read all names. A URL
 * that is not among them is a server that cannot be reached.
 */
export const layerDirectories = (directories: Directories): Layer.Layer<OrganizationDirectory> => {
  const authenticate = Effect.fnUntraced(function* (
    server: AuthenticationServerUrl,
    { username, password }: DirectoryCredentials
  ) {
    const people = yield* peopleOf(directories, server)
    const id = username as OrgAuthServerId
    const person = people.get(id)
    const isProven = person !== undefined && Redacted.value(person.password) === Redacted.value(password)
    return isProven ? id : yield* new DirectoryRefused()
  })
  return Layer.succeed(OrganizationDirectory, {
    authenticate,
    information: Effect.fnUntraced(function* (
      server,
      credentials,
      wanted: ReadonlyArray<OrgAuthServerId> | "everyone"
    ) {
      yield* authenticate(server, credentials)
      const people = yield* peopleOf(directories, server)
      const ids: ReadonlyArray<OrgAuthServerId> =
        wanted === "everyone" ? [...people.keys()].slice(0, LARGEST_DIRECTORY_ANSWER) : [...new Set(wanted)]
      return ids.flatMap((orgAuthServerId): ReadonlyArray<PersonInformation> => {
        const person = people.get(orgAuthServerId)
        return person === undefined ? [] : [{ orgAuthServerId, name: person.name, surname: person.surname }]
      })
    })
  })
}
