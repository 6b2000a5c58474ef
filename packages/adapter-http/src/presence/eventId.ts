import type { FeedVersion, OrganizationId } from "@sojourn/core"

/** The meaning of a message's id: the generation of the feeds, and the version of each organization of the stream. */
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
 * Parses the versions of some organizations from an id, which may have thousands of others. Returns undefined where
 * {@link formatEventId} did not write it.
 */
export const parseEventId = (text: string, organizationIds: ReadonlyArray<OrganizationId>): EventId | undefined => {
  const match = ID.exec(text)
  if (match === null) return undefined
  const known = new Map(organizationIds.map((id) => [String(id), id]))
  const versions = new Map<OrganizationId, FeedVersion>()
  for (const entry of match[2]!.split(",")) {
    const [id, version] = entry.split(":")
    const organizationId = known.get(id!)
    if (organizationId !== undefined) versions.set(organizationId, Number(version))
  }
  try {
    return { generation: decodeURIComponent(match[1]!), versions }
  } catch {
    return undefined
  }
}
