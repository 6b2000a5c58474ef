/** The table of an organization's areas, in pages, each area with what can be done to it. It has one tab stop; arrow keys move inside. */
import type { Place } from "@sojourn/client"
import type { TargetedKeyboardEvent } from "preact"
import { useMemo, useState } from "preact/hooks"
import { lineagesOf, rowsOf } from "../organizations/lineages.ts"
import { ActionButton } from "../shared/ActionButton.tsx"
import { useOpened } from "../shared/context.ts"
import { Field } from "../shared/fields.tsx"
import { usePages } from "../shared/usePages.tsx"
import { ARROWS } from "./view.ts"

/** From how many places on there is a search. */
const MIN_SEARCHED_PLACES = 20

interface PlaceTableProps {
  readonly places: ReadonlyArray<Place>
  readonly search: string
  readonly onSearch: (search: string) => void
  readonly isWaiting: boolean
  readonly onEdit: (edited: "organization" | Place) => void
  readonly onRemove: (place: Place) => void
}

export const PlaceTable = ({ places, search, onSearch, isWaiting, onEdit, onRemove }: PlaceTableProps) => {
  const { words } = useOpened()
  const found = useMemo(() => {
    const lineages = lineagesOf(places)
    const matching = places.filter(({ name }) => name.toLowerCase().includes(search.toLowerCase()))
    const listed = matching.map((place) => ({ place, lineage: lineages.get(place.id)! }))
    return rowsOf(listed, new Set()).map(({ place: { place }, depth }) => ({ place, depth }))
  }, [places, search])
  const { shown, pager } = usePages(found)
  /** The row and the button that have the tab stop. */
  const [chosen, setStop] = useState<readonly [row: number, button: number]>([0, 0])
  const [stopRow, stopButton] = chosen[0] <= shown.length ? chosen : [0, 0]
  const tabAt = (row: number, button: number) => ({
    tabindex: row === stopRow && button === stopButton ? 0 : -1,
    onFocus: () => setStop([row, button])
  })

  const onKeyDown = (event: TargetedKeyboardEvent<HTMLTableElement>) => {
    const [x, y] = ARROWS[event.key] ?? [0, 0]
    const row = event.currentTarget.rows[stopRow + y]
    const buttons = row?.querySelectorAll("button")
    if (buttons === undefined || (x === 0 && y === 0)) return
    event.preventDefault()
    buttons[Math.max(Math.min(stopButton + x, buttons.length - 1), 0)]?.focus()
  }

  const row = (nth: number, name: string, depth: number, place?: Place) => (
    <tr key={place?.id ?? 0}>
      <th scope="row" style={{ paddingInlineStart: `${depth - 0.6}rem` }}>
        {name}
      </th>
      <td>
        <div class="bar">
          <ActionButton
            action={words.edit}
            of={name}
            {...tabAt(nth, 0)}
            onClick={() => onEdit(place ?? "organization")}
          />
          {place !== undefined && (
            <ActionButton
              action={words.delete}
              of={name}
              class="destructive"
              disabled={isWaiting}
              {...tabAt(nth, 1)}
              onClick={() => onRemove(place)}
            />
          )}
        </div>
      </td>
    </tr>
  )
  return (
    <>
      {places.length > MIN_SEARCHED_PLACES && (
        <Field
          label={words.search}
          type="search"
          value={search}
          onInput={({ currentTarget }) => onSearch(currentTarget.value)}
        />
      )}
      <table role="grid" onKeyDown={onKeyDown}>
        <caption>{words.places}</caption>
        <tbody>
          {row(0, words.whole, 1)}
          {shown.map(({ place, depth }, nth) => row(nth + 1, place.name, depth, place))}
        </tbody>
      </table>
      {found.length > shown.length && <div class="bar">{pager}</div>}
    </>
  )
}
