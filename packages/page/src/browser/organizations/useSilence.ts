/** How many devices of organizations are silent, read again as the stream says that one is, or that it sends again. */
import { useEffect, useRef, useState } from "preact/hooks"
import type { Live } from "../live/useLive.ts"
import { usePage } from "../shared/context.ts"
import { LIST_INTERVAL_MS, useThrottled } from "../shared/useThrottled.ts"

/** How many devices are silent, by the organization's id; 0 until it is known. */
export const useSilence = (
  organizationIds: ReadonlyArray<number>,
  { counts: { organizations } }: Live
): ((id: number) => number) => {
  const { api } = usePage()
  const [silent, setSilent] = useState<ReadonlyMap<number, number>>(new Map())
  /** How many changes of devices the stream had of each organization when they were read last. */
  const read = useRef(new Map<number, number>()).current
  const changesOf = (id: number) => organizations.get(id)?.deviceChanges
  const changes = useThrottled(organizationIds.map((id) => `${id} ${changesOf(id)}`).join(), LIST_INTERVAL_MS)
  useEffect(() => {
    for (const organizationId of organizationIds) {
      const known = changesOf(organizationId)
      if (known === undefined || read.get(organizationId) === known) continue
      read.set(organizationId, known)
      api.device.list({ organizationId }).then(
        (devices) => {
          const found = devices.filter(({ state }) => state === "silent").length
          setSilent((before) => new Map(before).set(organizationId, found))
        },
        // The next change is another occasion.
        () => read.delete(organizationId)
      )
    }
  }, [changes])
  return (id) => silent.get(id) ?? 0
}
