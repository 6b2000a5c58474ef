/** What needs attention in an organization, before everything else: places that are over or full, and silent devices. Nothing where all is well. */
import { LevelBadge } from "../live/LevelBadge.tsx"
import { usePage } from "../shared/context.ts"
import { hrefOf } from "../shared/route.ts"
import { useOneTabStop } from "../shared/useOneTabStop.ts"
import { placesAt } from "./order.ts"
import type { Premises } from "./model.ts"

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
            <button key={placeId} type="button" dir="auto" title={name} onClick={() => onSelect(placeId)}>
              {name}
            </button>
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
