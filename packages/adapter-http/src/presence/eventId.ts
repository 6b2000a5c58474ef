import type { FeedVersion, OrganizationId } from "@sojourn/core"
import * as Option from "effect/Option"

/** What the id of a message stands for: the generation of the feeds, and the version of each organization of the stream. */
export interface EventId {
  readonly generation: string
  readonly versions: ReadonlyMap<OrganizationId, FeedVersion>
}

/** Writes an id: printable characters alone, as it comes back in a header. */
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
 * Reads the versions of some organizations from an id, which may have thousands of others; none where {@link formatEventId} did not
 * write it.
 */
export const parseEventId = (text: string, organizationIds: ReadonlyArray<OrganizationId>): Option.Option<EventId> => {
  const found = ID.exec(text)
  if (found === null) return Option.none()
  try {
    const asked = new Map(organizationIds.map((id) => [String(id), id]))
    const versions = new Map<OrganizationId, FeedVersion>()
    for (const entry of found[2] === "" ? [] : found[2]!.split(",")) {
      const [id, version] = entry.split(":") as [string, string]
      const organizationId = asked.get(id)
      if (organizationId !== undefined) versions.set(organizationId, Number(version))
    }
    return Option.some({ generation: decodeURIComponent(found[1]!), versions })
  } catch {
    return Option.none()
  }
}
