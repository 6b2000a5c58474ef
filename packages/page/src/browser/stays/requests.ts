/** What the interface lets administrators read of people, in as many requests as it takes. */
import type {
  OrganizationAuthenticatedAccess,
  OrganizationAuthenticationServerInformation,
  PlaceAuthenticatedAccess,
  SojournClient,
  TimePerUserReport
} from "@sojourn/client"

/** A completed stay of a person in an organization or in a place. */
export type Access = OrganizationAuthenticatedAccess | PlaceAuthenticatedAccess

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

/** The completed stays of people in an organization or a place, by entrance. */
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

/** The reports of places: who spent how much time where, the longest first. */
export const readReports = async (
  api: SojournClient,
  placeIds: ReadonlyArray<number>
): Promise<ReadonlyArray<TimePerUserReport>> => {
  const reports = await forEach(placeIds, (placeId) => api.report.timePerUser({ placeId }))
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
