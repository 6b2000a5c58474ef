/** Reads the user's accesses from the server: by the exit tokens of this device, and by the link to an organization. */
import { ENDPOINTS } from "./endpoints.ts"
import type { Archive } from "./archive.ts"
import type { Areas } from "./areas.ts"
import { type Connection, requireSuccess } from "./connection.ts"
import type { Journal } from "./Journal.ts"
import { requirePremises } from "./premises.ts"
import type { Tracker, TrackerAccess } from "./types.ts"

/** How many tokens a path may hold. */
const MAX_TOKENS = 100

const chunksOf = <A>(values: ReadonlyArray<A>, size: number): ReadonlyArray<ReadonlyArray<A>> =>
  Array.from({ length: Math.ceil(values.length / size) }, (_, index) => values.slice(index * size, (index + 1) * size))

interface AccessesOptions {
  readonly journal: Journal
  readonly archive: Archive
  readonly areas: Areas
  readonly connection: Connection
  readonly report: (error: unknown) => void
}

/** The accesses to premises, in the order of their entrances. */
export const makeAccesses =
  ({ journal, archive, areas, connection, report }: AccessesOptions): Tracker["accesses"] =>
  async (requested) => {
    const premises = requirePremises(requested)
    await journal.sync().catch(report)
    const { organizationId, placeId } = premises
    const kind = placeId === undefined ? "organization" : "place"
    const link = journal.memory().state.links[String(organizationId ?? areas.organizationOf(placeId!))]
    const lists = [
      ...chunksOf(await archive.tokens(premises), MAX_TOKENS).map((exitTokens) => ({ exitTokens })),
      ...(link === undefined ? [] : [{ orgAuthServerIds: [link] }])
    ]
    const found = new Map<string | number, TrackerAccess>()
    for (const list of lists) {
      const endpoint = ENDPOINTS.access[`${kind}${"exitTokens" in list ? "Anonymous" : "Authenticated"}`]
      const answer = requireSuccess(await connection.call(endpoint, { ...premises, ...list }))
      for (const access of (answer.json ?? []) as ReadonlyArray<TrackerAccess>) found.set(access.id, access)
    }
    const entered = ({ entranceTimestamp }: TrackerAccess) => Date.parse(entranceTimestamp)
    return [...found.values()].sort((one, other) => entered(one) - entered(other))
  }
