/** The open musters of all organizations that the administrator may see, in whatever view. */
import type { MusterSummaryJson } from "@sojourn/adapter-http/json"
import { useEffect, useRef, useState } from "preact/hooks"
import type { Live } from "../live/useLive.ts"
import type { Managed } from "../organizations/model.ts"
import { usePage } from "../shared/context.ts"

/** How often organizations that the stream does not follow are asked, in milliseconds. */
const POLL_INTERVAL_MS = 8_000

/** How many of them are asked at once: with more, each is asked less often. */
const MAX_POLLED = 20

/** An open muster, and the name of its organization. */
export interface OpenMuster {
  readonly muster: MusterSummaryJson
  readonly organization: string
}

/**
 * Reads the musters of an organization when the stream begins to follow it, and at each event about them; the others, and those
 * whose reading failed, in turns.
 */
export const useOpenMusters = (organizations: ReadonlyArray<Managed>, live: Live): ReadonlyArray<OpenMuster> => {
  const { api } = usePage()
  const [open, setOpen] = useState<ReadonlyMap<number, MusterSummaryJson>>(new Map())
  /** What the stream had told of each organization when its musters were read last; none while reading or after a failure. */
  const read = useRef(new Map<number, number>()).current
  const latest = useRef({ organizations, live })
  latest.current = { organizations, live }
  const changesOf = (id: number) => latest.current.live.counts.organizations.get(id)?.musterChanges

  const load = async (id: number) => {
    const changes = changesOf(id) ?? -1
    read.set(id, changes)
    try {
      const musters = (await api.get<ReadonlyArray<MusterSummaryJson>>(`/muster/organization/${id}`)) ?? []
      // An answer that is older than what was told meanwhile is another reading's.
      if (read.get(id) !== changes) return
      const muster = musters.find(({ endedAt }) => endedAt === undefined)
      setOpen((before) => {
        if (before.get(id)?.musterId === muster?.musterId) return before
        const after = new Map(before)
        if (muster === undefined) after.delete(id)
        else after.set(id, muster)
        return after
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
    let next = 0
    const poll = () => {
      const polled = latest.current.organizations.filter(({ id }) => changesOf(id) === undefined || !read.has(id))
      for (let n = 0; n < Math.min(MAX_POLLED, polled.length); n++) void load(polled[next++ % polled.length]!.id)
    }
    const timer = setInterval(poll, POLL_INTERVAL_MS)
    // The first ones are known by then, or are read when they are.
    const first = setTimeout(poll, 1_000)
    return () => {
      clearInterval(timer)
      clearTimeout(first)
    }
  }, [])
  return organizations.flatMap(({ id, data }) => {
    const muster = open.get(id)
    return muster === undefined ? [] : [{ muster, organization: data.name }]
  })
}
