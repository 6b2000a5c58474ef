/** What the interface lets administrators read of people, in as many requests as it takes. */
import type { OrganizationAuthenticationServerInformation, RecordedAccess, SojournClient } from "@sojourn/client"
import type { Window } from "../shared/localTime.ts"
import { WHOLE } from "../organizations/model.ts"
import type { Part } from "../shared/useParts.tsx"

/** A completed stay of a person in an organization, or in the place that it names. */
export type Access = Omit<RecordedAccess, "organizationId">

/** How long a file may take, in milliseconds. */
const FILE_TIMEOUT_MS = 3_600_000

/** How many accesses are read at once. */
const PART_SIZE = 500

/** The accesses of a window: of a place, or of an organization with its places or alone, of all people or of some. */
export type AccessQuery = Window & { readonly orgAuthServerId: ReadonlyArray<string> } & (
    | { readonly placeId: number }
    | { readonly organizationId: number; readonly premises?: "own" }
  )

/** A part of the accesses of a window, by entrance. */
export const readWindow = async (
  api: SojournClient,
  query: AccessQuery,
  after: string | undefined
): Promise<Part<Access, string>> => {
  const params = { ...query, limit: PART_SIZE, after }
  const part =
    "placeId" in params ? await api.window.placeAccesses(params) : await api.window.organizationAccesses(params)
  return { rows: part?.accesses ?? [], next: part?.next }
}

/** Saves all accesses of a window as a file. */
export const saveWindow = async (api: SojournClient, query: AccessQuery): Promise<void> => {
  const options = { timeout: FILE_TIMEOUT_MS }
  if ("placeId" in query) await api.window.placeAccessesCsv(query, options)
  else await api.window.organizationAccessesCsv(query, options)
}

/** The most people of a request, and the longest list of them in its path, in characters. */
const [MAX_PEOPLE, MAX_PATH_LENGTH] = [100, 8_000]

/** How many requests are sent at once. */
const CONCURRENCY = 4

/** Splits a list into parts that each fit into a request. */
export const partsOf = (ids: ReadonlyArray<string>): ReadonlyArray<ReadonlyArray<string>> => {
  const parts: Array<Array<string>> = []
  let length = Infinity
  for (const id of ids) {
    const own = encodeURIComponent(id).length + 1
    if (length + own > MAX_PATH_LENGTH || parts.at(-1)!.length === MAX_PEOPLE) {
      parts.push([])
      length = 0
    }
    parts.at(-1)!.push(id)
    length += own
  }
  return parts
}

/** Does the same for each, a few at once; the answers are in the order of the list. */
const forEach = async <A, B>(all: ReadonlyArray<A>, request: (one: A) => Promise<B>): Promise<ReadonlyArray<B>> => {
  const answers: Array<B> = []
  for (let at = 0; at < all.length; at += CONCURRENCY) {
    answers.push(...(await Promise.all(all.slice(at, at + CONCURRENCY).map(request))))
  }
  return answers
}

/** All completed stays of people in an organization or a place, by entrance. */
export const readAccesses = async (
  api: SojournClient,
  organizationId: number,
  placeId: number | undefined,
  people: ReadonlyArray<string>
): Promise<ReadonlyArray<Access>> => {
  const lists = await forEach<ReadonlyArray<string>, ReadonlyArray<Access>>(partsOf(people), (orgAuthServerIds) =>
    placeId === undefined
      ? api.access.organizationAuthenticated({ organizationId, orgAuthServerIds })
      : api.access.placeAuthenticated({ placeId, orgAuthServerIds })
  )
  const byId = new Map(lists.flat().map((access) => [access.id, access]))
  return [...byId.values()].sort(
    (a, b) => Date.parse(a.entranceTimestamp) - Date.parse(b.entranceTimestamp) || a.id - b.id
  )
}

/** How long a person was in a place, or in the organization itself. */
export interface TimeOfPerson {
  readonly orgAuthServerId: string
  readonly placeId?: number
  readonly totalTime: number
}

/** The reports of places, or of {@link WHOLE} in a window: who spent how much time where, the longest first. */
export const readReports = async (
  api: SojournClient,
  organizationId: number,
  placeIds: ReadonlyArray<number>,
  window: Window | undefined
): Promise<ReadonlyArray<TimeOfPerson>> => {
  const reports = await forEach<number, ReadonlyArray<TimeOfPerson>>(placeIds, (placeId) =>
    placeId === WHOLE
      ? api.window.organizationReport({ organizationId, ...window! })
      : api.report.timePerUser({ placeId, ...window })
  )
  return reports.flat().sort((a, b) => b.totalTime - a.totalTime)
}

/** The names of everyone whom the credentials may see in the organization's directory, and of these people. */
export const readNames = async (
  api: SojournClient,
  organizationId: number,
  organizationCredentials: { readonly username: string; readonly password: string },
  people: ReadonlyArray<string>
): Promise<ReadonlyArray<OrganizationAuthenticationServerInformation>> => {
  const ask = (orgAuthServerIds: ReadonlyArray<string>) =>
    api.authenticationserver.userInformation({ body: { organizationId, organizationCredentials, orgAuthServerIds } })
  const everyone = await ask(["*"])
  // Of a large directory not everyone is answered.
  const named = new Set(everyone.map(({ orgAuthServerId }) => orgAuthServerId))
  const rest = partsOf(people.filter((person) => !named.has(person)))
  return [...everyone, ...(await forEach(rest, ask)).flat()]
}
