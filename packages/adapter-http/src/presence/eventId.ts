/** The ids of messages, which a client resumes after. */
import type { FeedVersion, OrganizationId } from "@sojourn/core"

/** New versions of organizations; undefined for an organization that leaves the stream. */
export type Positions = ReadonlyArray<readonly [OrganizationId, FeedVersion | undefined]>

/** The versions of a generation: printable characters alone, as a client returns an id in a header. */
const PART = /^((?:[\w!'()*~.-]|%[\dA-F]{2})*);((?:\d{1,19}:\d{1,16}(?:,\d{1,19}:\d{1,16})*)?)$/

/** The position of a stream: the version of each organization, undefined where none was sent, and its feed's generation, encoded for URIs. */
export class StreamPosition {
  readonly entries = new Map<OrganizationId, { readonly generation: string; version: FeedVersion | undefined }>()

  /** Parses the versions of some organizations from an id. Returns undefined where {@link advance} did not write it. */
  static parse(id: string | undefined, organizationIds: ReadonlyArray<OrganizationId>): StreamPosition | undefined {
    const position = new StreamPosition()
    if (id === undefined) return position
    for (const part of id.split("/")) {
      const [, generation, versions] = PART.exec(part) ?? []
      if (generation === undefined || versions === undefined) return undefined
      const sent = new Map(versions.split(",").map((entry) => entry.split(":") as [string, string]))
      for (const organizationId of organizationIds) {
        const version = sent.get(String(organizationId))
        if (version !== undefined) position.entries.set(organizationId, { generation, version: Number(version) })
      }
    }
    return position
  }

  /** Puts an organization into a generation, without a version where it was in another one. */
  begin(organizationId: OrganizationId, generation: string): void {
    if (this.entries.get(organizationId)?.generation === generation) return
    this.entries.set(organizationId, { generation, version: undefined })
  }

  /** Changes the position by a message. Returns the message's id. */
  advance(positions: Positions): string {
    for (const [organizationId, version] of positions) {
      const entry = this.entries.get(organizationId)
      if (entry !== undefined) entry.version = version
    }
    let id = ""
    let last: string | undefined
    for (const [organizationId, { generation, version }] of this.entries) {
      if (version === undefined) continue
      if (generation === last) id += ","
      else id += id === "" ? `${generation};` : `/${generation};`
      id += `${organizationId}:${version}`
      last = generation
    }
    return id === "" ? ";" : id
  }
}
