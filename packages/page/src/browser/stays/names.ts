/** Names of people from the organization's directory, kept in memory for the session: the server stores none. */
import type { SojournClient } from "@sojourn/client"

export interface Name {
  readonly name: string
  readonly surname: string
}

export type Names = ReadonlyMap<string, Name>

/** By the session's client, and by organizations. */
const known = new WeakMap<SojournClient, Map<number, Map<string, Name>>>()

/** The names that were read in this session. They are in memory alone, and gone with the session. */
export const namesOf = (api: SojournClient, organizationId: number): Map<string, Name> => {
  const byOrganization = known.get(api) ?? new Map<number, Map<string, Name>>()
  known.set(api, byOrganization)
  const names = byOrganization.get(organizationId) ?? new Map<string, Name>()
  byOrganization.set(organizationId, names)
  return names
}

/** A name as it is shown; empty where none is known. */
export const nameIn = (names: Names, person: string): string => {
  const known = names.get(person)
  return known === undefined ? "" : `${known.name} ${known.surname}`.trim()
}

/** Whether a person is what was searched for, by id or by name. */
export const isSearched = (names: Names, person: string, search: string): boolean =>
  `${person} ${nameIn(names, person)}`.toLowerCase().includes(search.trim().toLowerCase())

const two = (n: number): string => String(n).padStart(2, "0")

/** A length of time as hours, minutes and seconds: `26:03:09`. */
export const lengthOf = (seconds: number): string => {
  const whole = Math.floor(seconds)
  return `${Math.floor(whole / 3600)}:${two(Math.floor(whole / 60) % 60)}:${two(whole % 60)}`
}
