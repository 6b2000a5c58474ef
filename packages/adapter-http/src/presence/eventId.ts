/** The ids of messages, which a client resumes after. */
import type { FeedVersion, OrganizationId } from "@sojourn/core"

/** The meaning of an id: the generation of the feeds, and the version of each organization of the stream. */
export interface EventId {
  readonly generation: string
  readonly versions: ReadonlyMap<OrganizationId, FeedVersion>
}

/** New versions of organizations; undefined for an organization that leaves the stream. */
export type Positions = ReadonlyArray<readonly [OrganizationId, FeedVersion | undefined]>

/** The position of a stream, as the ids of its messages say. */
export class StreamPosition {
  /** Empty before it is known where the stream begins. */
  private generation = ""
  private versions = new Map<OrganizationId, FeedVersion>()

  begin({ generation, versions }: EventId): void {
    this.generation = generation
    this.versions = new Map(versions)
  }

  /** Changes the position by a message. Returns the message's id. */
  advance(positions: Positions): string {
    for (const [organizationId, version] of positions) {
      if (version === undefined) this.versions.delete(organizationId)
      else this.versions.set(organizationId, version)
    }
    return formatEventId(this.generation, this.versions)
  }
}

/** Formats an id: printable characters alone, as a client returns it in a header. */
export const formatEventId = (generation: string, versions: EventId["versions"]): string => {
  let text = `${encodeURIComponent(generation)};`
  let separator = ""
  for (const [organizationId, version] of versions) {
    text += `${separator}${organizationId}:${version}`
    separator = ","
  }
  return text
}

const ID = /^([^;]*);((?:\d{1,19}:\d{1,16}(?:,\d{1,19}:\d{1,16})*)?)$/

/**
 * Parses the versions of some organizations from an id, which may have thousands of others. Returns undefined where
 * {@link formatEventId} did not write it.
 */
export const parseEventId = (text: string, organizationIds: ReadonlyArray<OrganizationId>): EventId | undefined => {
  const match = ID.exec(text)
  if (match === null) return undefined
  const sent = new Map(match[2]!.split(",").map((entry) => entry.split(":") as [string, string]))
  const versions = new Map<OrganizationId, FeedVersion>()
  for (const id of organizationIds) if (sent.has(String(id))) versions.set(id, Number(sent.get(String(id))))
  try {
    return { generation: decodeURIComponent(match[1]!), versions }
  } catch {
    return undefined
  }
}
