/** The open musters of all organizations that the administrator may see, in whatever view. */
import type { MusterSummary, Organization, SojournClient } from "@sojourn/client"
import { useEffect, useRef, useState } from "preact/hooks"
import type { Live } from "../live/useLive.ts"
import type { Managed } from "../organizations/model.ts"
import { usePage } from "../shared/context.ts"
import { isRefused } from "../shared/useLoaded.ts"

/** The shortest time between two readings of an organization that the stream does not follow, in milliseconds. */
const POLL_INTERVAL_MS = 7_000

/** How often the next of them are read, in milliseconds. */
const POLL_STEP_MS = 1_000

/** How many of them are read in a step at most: of more than 70 organizations each is read less often. */
const MAX_POLLED = 10

export interface OpenMuster {
  readonly muster: MusterSummary
  readonly organization: Organization
}

/** The open muster of an organization; none where the permission was withdrawn or the organization deleted. */
const readOpen = async (api: SojournClient, organizationId: number): Promise<MusterSummary | undefined> => {
  try {
    return (await api.muster.listMusters({ organizationId })).find(({ endedAt }) => endedAt === undefined)
  } catch (failure) {
    if (isRefused(failure, 403, 404)) return undefined
    throw failure
  }
}

/**
 * Reads the musters of an organization when the stream begins to follow it, and at each event about them; the others, and those
 * whose reading failed, at intervals. Evacuations stand before drills. `followed` are the ids of those that the stream follows.
 */
export const useOpenMusters = (
  organizations: ReadonlyArray<Managed>,
  live: Live,
  followed: ReadonlyArray<number>
): ReadonlyArray<OpenMuster> => {
  const { api } = usePage()
  const [open, setOpen] = useState<ReadonlyMap<number, MusterSummary>>(new Map())
  /** How many changes of musters the stream had of each organization when they were read last; none while reading or after a failure. */
  const read = useRef(new Map<number, number>()).current
  /** When each organization was read last, in milliseconds since 1970. */
  const readAt = useRef(new Map<number, number>()).current
  const latest = useRef({ organizations, live, followed })
  latest.current = { organizations, live, followed }
  const changesOf = (id: number) => latest.current.live.counts.organizations.get(id)?.musterChanges

  const load = async (id: number) => {
    const changes = changesOf(id) ?? -1
    read.set(id, changes)
    readAt.set(id, Date.now())
    try {
      const muster = await readOpen(api, id)
      // Changes came meanwhile: another reading answers them.
      if (read.get(id) !== changes) return
      setOpen((before) => {
        if (before.get(id)?.musterId === muster?.musterId) return before
        const others = [...before].filter(([other]) => other !== id)
        return new Map(muster === undefined ? others : [...others, [id, muster]])
      })
    } catch {
      if (read.get(id) === changes) read.delete(id)
    }
  }
  useEffect(() => {
    for (const { id } of organizations) {
      const changes = changesOf(id)
      if (changes !== undefined && read.get(id) !== changes) void load(id)
    }
  }, [live.counts, organizations])
  useEffect(() => {
    const poll = () => {
      const { organizations, live, followed } = latest.current
      const lastOf = (id: number) => readAt.get(id) ?? 0
      // A stream that a newer page replaced says nothing, while the server is there.
      const isFollowed = (id: number) =>
        live.connection !== "replaced" && followed.includes(id) && changesOf(id) !== undefined && read.has(id)
      const due = organizations.filter(({ id }) => !isFollowed(id) && lastOf(id) + POLL_INTERVAL_MS <= Date.now())
      const next = due.sort((a, b) => lastOf(a.id) - lastOf(b.id)).slice(0, MAX_POLLED)
      for (const { id } of next) void load(id)
    }
    const timer = setInterval(poll, POLL_STEP_MS)
    return () => clearInterval(timer)
  }, [])
  return organizations
    .flatMap(({ id, data }) => {
      const muster = open.get(id)
      return muster === undefined ? [] : [{ muster, organization: data }]
    })
    .sort((a, b) => Number(a.muster.kind === "drill") - Number(b.muster.kind === "drill"))
}
