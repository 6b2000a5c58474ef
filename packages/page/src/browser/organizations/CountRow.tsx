/** A row of the list of counts: a place with how many are inside and, in a tree, the sum of its parts and what folds them. */
import { isQuiet } from "../live/counts.ts"
import { LevelBadge } from "../live/LevelBadge.tsx"
import { usePage } from "../shared/context.ts"
import type { PlaceRow } from "./lineages.ts"
import type { Premises } from "./model.ts"
import { SoftNumber } from "./SoftNumber.tsx"

interface CountRowProps {
  readonly row: PlaceRow<Premises>
  /** Whether the list is a tree. */
  readonly isTree: boolean
  /** The sum of the counts of its parts; none where it has no parts. */
  readonly inParts: number | undefined
  readonly rowIndex: number
  readonly isSelected: boolean
  readonly hasTabStop: boolean
  /** How full it is. */
  readonly part: number
  readonly onSelect: (placeId: number | undefined) => void
  readonly onFold: (placeId: number, isOpen: boolean) => void
}

export const CountRow = (props: CountRowProps) => {
  const { row, isTree, inParts, rowIndex, isSelected, hasTabStop, part, onSelect, onFold } = props
  const { place, depth, position, siblings, isOpen } = row
  const { placeId, name, count } = place
  const { words, formats } = usePage()
  const inTree = isTree && {
    "aria-level": depth,
    "aria-posinset": position,
    "aria-setsize": siblings,
    "aria-expanded": isOpen
  }
  return (
    <tr
      class={`${placeId === undefined ? "whole" : ""} ${isSelected ? "selected" : ""}`}
      aria-rowindex={rowIndex}
      {...inTree}
    >
      <th scope="row" style={{ "--depth": depth - 1 }}>
        {isOpen !== undefined && (
          <button
            type="button"
            class="fold"
            tabindex={-1}
            aria-label={(isOpen ? words.hideParts : words.showParts)(name)}
            onClick={() => onFold(placeId!, !isOpen)}
          />
        )}
        <button
          type="button"
          dir="auto"
          title={name}
          tabindex={hasTabStop ? 0 : -1}
          aria-pressed={isSelected}
          aria-expanded={isOpen}
          onClick={() => onSelect(placeId)}
        >
          {placeId === undefined ? words.whole : name}
        </button>
        <div class="filled">
          <span class={`fullness ${count.level}`} aria-hidden="true">
            <span style={{ inlineSize: `${Math.min(part, 1) * 100}%` }} />
          </span>
          {inParts !== undefined && (
            <small class={isQuiet(count) ? "" : "unseen"}>{words.inParts(formats.number(inParts))}</small>
          )}
          <LevelBadge level={count.level} />
        </div>
      </th>
      <td class="number">
        <SoftNumber value={count.inside} />
      </td>
      <td class="number">{count.capacity === undefined ? "–" : formats.number(count.capacity)}</td>
    </tr>
  )
}
