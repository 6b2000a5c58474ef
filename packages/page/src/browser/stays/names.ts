/** Names of people from the organization's directory, kept in memory for the session: the server stores none. */
import type { SojournClient } from "@sojourn/client"

export interface Name {
  readonly name: string
  readonly surname: string
}

export type Names = ReadonlyMap<string, Name>

const known = new WeakMap<SojournClient, Map<number, Map<string, Name>>>()

const ofOrganization = (api: SojournClient, organizationId: number): Map<string, Name> => {
  const byOrganization = known.get(api) ?? new Map<number, Map<string, Name>>()
  known.set(api, byOrganization)
  const names = byOrganization.get(organizationId) ?? new Map<string, Name>()
  byOrganization.set(organizationId, names)
  return names
}

/** The names that were read in this session. They are in memory alone, and gone with the session. */
export const namesOf = (api: SojournClient, organizationId: number): Names => ofOrganization(api, organizationId)

export const addNames = (
  api: SojournClient,
  organizationId: number,
  more: ReadonlyArray<Name & { readonly orgAuthServerId: string }>
): void => {
  const names = ofOrganization(api, organizationId)
  for (const { orgAuthServerId, name, surname } of more) names.set(orgAuthServerId, { name, surname })
}

/** A name as it is shown; empty where none is known. */
export const nameIn = (names: Names, person: string): string => {
  const known = names.get(person)
  return known === undefined ? "" : `${known.name} ${known.surname}`.trim()
}

/** Whether a person is what was searched for, by id or by name. */
export const isSearched = (names: Names, person: string, search: string): boolean =>
  `${person} ${nameIn(names, person)}`.toLowerCase().includes(search.trim().toLowerCase())
