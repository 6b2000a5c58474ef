/** What needs attention in an organization, before everything else: places that are over or full, and silent devices. Nothing where all is well. */
import { useEffect, useRef, useState } from "preact/hooks"
import { LevelBadge } from "../live/LevelBadge.tsx"
import type { Live } from "../live/useLive.ts"
import { usePage } from "../shared/context.ts"
import { LIST_INTERVAL_MS, useThrottled } from "../shared/useThrottled.ts"
import { hrefOf } from "../shared/route.ts"
import { useOneTabStop } from "../shared/useOneTabStop.ts"
import { placesAt } from "./order.ts"
import type { Premises } from "./model.ts"
import { ActionButton } from "../shared/ActionButton.tsx"

/** How many devices are silent, by the organization's id; 0 until it is known. It is read again as the stream says that one is, or that it sends again. */
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

/** How many places of a level are named. */
const MAX_NAMED = 3

interface AttentionProps {
  readonly organizationId: number
  readonly places: ReadonlyArray<Premises>
  readonly silent: number
  readonly onSelect: (placeId: number | undefined) => void
}

export const Attention = ({ organizationId, places, silent, onSelect }: AttentionProps) => {
  const { words, formats } = usePage()
  const stops = useOneTabStop<HTMLUListElement>("a, button")
  const { number } = formats
  const found = (["over", "full"] as const).flatMap((level) => {
    const those = placesAt(places, level)
    return those.length === 0 ? [] : [{ level, those }]
  })
  if (found.length === 0 && silent === 0) return null
  return (
    <ul class="attention" aria-label={words.attention} {...stops}>
      {found.map(({ level, those }) => (
        <li key={level}>
          <b>{number(those.length)}</b> <LevelBadge level={level} />{" "}
          {those.slice(0, MAX_NAMED).map(({ placeId, name }) => (
            <ActionButton action={name} key={placeId} dir="auto" title={name} onClick={() => onSelect(placeId)} />
          ))}
          {those.length > MAX_NAMED && " …"}
        </li>
      ))}
      {silent > 0 && (
        <li>
          <a class="button" href={hrefOf({ organizationId, tab: "devices" })}>
            ⚠︎ {words.silent(number(silent))}
          </a>
        </li>
      )}
    </ul>
  )
}
