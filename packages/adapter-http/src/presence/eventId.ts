/** The ids of messages, which a client resumes after. */
import type { FeedVersion, OrganizationId } from "@sojourn/core"
import { childOf } from "../pipeline/childOf.ts"

/** The meaning of an id: the versions of organizations, by the generation of their feeds. Those of each cell have one of their own. */
export type EventId = ReadonlyMap<string, ReadonlyMap<OrganizationId, FeedVersion>>

/** New versions of organizations; undefined for an organization that leaves the stream. */
export type Positions = ReadonlyArray<readonly [OrganizationId, FeedVersion | undefined]>

/** The beginning of the part of an id that has the versions of a generation. */
const prefixOf = (generation: string): string => `${encodeURIComponent(generation)};`

/** Joins the versions of each prefix: printable characters alone, as a client returns an id in a header. */
const join = (parts: Iterable<readonly [string, ReadonlyMap<OrganizationId, FeedVersion>]>): string => {
  let text = ""
  for (const [prefix, versions] of parts) {
    let separator = text === "" ? prefix : `/${prefix}`
    for (const [organizationId, version] of versions) {
      text += `${separator}${organizationId}:${version}`
      separator = ","
    }
  }
  return text === "" ? ";" : text
}

/** The position of a stream, as the ids of its messages say. */
export class StreamPosition {
  private readonly byPrefix = new Map<string, Map<OrganizationId, FeedVersion>>()
  /** The versions that an organization's is one of, also before it has any. */
  private readonly versionsOf = new Map<OrganizationId, Map<OrganizationId, FeedVersion>>()

  /** Puts an organization of the stream into a generation, at a version if it is known. */
  begin(organizationId: OrganizationId, generation: string, version: FeedVersion | undefined): void {
    this.versionsOf.get(organizationId)?.delete(organizationId)
    const versions = childOf(this.byPrefix, prefixOf(generation), () => new Map<OrganizationId, FeedVersion>())
    this.versionsOf.set(organizationId, versions)
    if (version !== undefined) versions.set(organizationId, version)
  }

  /** Changes the position by a message. Returns the message's id. */
  advance(positions: Positions): string {
    for (const [organizationId, version] of positions) {
      const versions = this.versionsOf.get(organizationId)
      if (version === undefined) versions?.delete(organizationId)
      else versions?.set(organizationId, version)
    }
    return join(this.byPrefix)
  }
}

const PART = /^([^;]*);((?:\d{1,19}:\d{1,16}(?:,\d{1,19}:\d{1,16})*)?)$/

/**
 * Parses the versions of some organizations from an id, which may have thousands of others. Returns undefined where
 * {@link StreamPosition} did not write it.
 */
export const parseEventId = (text: string, organizationIds: ReadonlyArray<OrganizationId>): EventId | undefined => {
  const parsed = new Map<string, Map<OrganizationId, FeedVersion>>()
  for (const part of text.split("/")) {
    const match = PART.exec(part)
    if (match === null) return undefined
    const sent = new Map(match[2]!.split(",").map((entry) => entry.split(":") as [string, string]))
    try {
      const generation = decodeURIComponent(match[1]!)
      for (const id of organizationIds) {
        const version = sent.get(String(id))
        if (version !== undefined) childOf(parsed, generation, () => new Map()).set(id, Number(version))
      }
    } catch {
      return undefined
    }
  }
  return parsed
}
