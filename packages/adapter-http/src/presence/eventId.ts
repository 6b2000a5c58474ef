/** The ids of messages, which a client resumes after. */
import type { FeedVersion, OrganizationId } from "@sojourn/core"
import { childOf } from "../pipeline/childOf.ts"

/** The meaning of an id: the versions of organizations, by the generation of their feeds. Those of each cell have one of their own. */
export type EventId = ReadonlyMap<string, ReadonlyMap<OrganizationId, FeedVersion>>

/** New versions of organizations; undefined for an organization that leaves the stream. */
export type Positions = ReadonlyArray<readonly [OrganizationId, FeedVersion | undefined]>

/** The position of a stream, as the ids of its messages say. */
export class StreamPosition {
  private readonly byGeneration = new Map<string, Map<OrganizationId, FeedVersion>>()
  /** The versions that an organization's is one of, also before it has any. */
  private readonly versionsOf = new Map<OrganizationId, Map<OrganizationId, FeedVersion>>()

  /** Puts an organization of the stream into a generation, at a version if it is known. */
  begin(organizationId: OrganizationId, generation: string, version: FeedVersion | undefined): void {
    this.versionsOf.get(organizationId)?.delete(organizationId)
    const versions = childOf(this.byGeneration, generation, () => new Map<OrganizationId, FeedVersion>())
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
    return formatEventId(this.byGeneration)
  }
}

/** Formats an id: printable characters alone, as a client returns it in a header. */
export const formatEventId = (id: EventId): string => {
  let text = ""
  for (const [generation, versions] of id) {
    if (versions.size === 0) continue
    text += `${text === "" ? "" : "/"}${encodeURIComponent(generation)};`
    let separator = ""
    for (const [organizationId, version] of versions) {
      text += `${separator}${organizationId}:${version}`
      separator = ","
    }
  }
  return text === "" ? ";" : text
}

const PART = /^([^;]*);((?:\d{1,19}:\d{1,16}(?:,\d{1,19}:\d{1,16})*)?)$/

/**
 * Parses the versions of some organizations from an id, which may have thousands of others. Returns undefined where
 * {@link formatEventId} did not write it.
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
