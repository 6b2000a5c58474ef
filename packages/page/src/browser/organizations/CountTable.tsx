/** The counts of the organization and its places as a table: the map's content for those who cannot see it. */
import type { TargetedKeyboardEvent } from "preact"
import { useLayoutEffect, useRef, useState } from "preact/hooks"
import { Toolbar } from "../shared/Toolbar.tsx"
import { CsvButton, PrintButton } from "../shared/ActionButton.tsx"
import { CountRow } from "./CountRow.tsx"
import type { PlaceRow } from "./lineages.ts"
import type { Premises } from "./model.ts"
import { usePage } from "../shared/context.ts"
import { useKept } from "../shared/useKept.ts"
import { useWindowed } from "./useWindowed.ts"
import { fullnessOf, type Order, ORDERS } from "./order.ts"
import { foldOf, mirrored, rowAfter } from "./treeKeys.ts"
import { usePlaceTree } from "./usePlaceTree.ts"

/** The height of a row in pixels, as the style has it: a part of the size of the browser's letters. */
const ROW_HEIGHT_PX = 2.75 * parseFloat(getComputedStyle(document.documentElement).fontSize)

/** Lists of more rows scroll in a box of their own, and are rendered in parts. */
const MAX_WHOLE_ROWS = 40

/** From how many places on there is a search. */
const MIN_SEARCHED_PLACES = 8

interface CountTableProps {
  readonly whole: Premises
  readonly places: ReadonlyArray<Premises>
  readonly selected: number | undefined
  readonly onSelect: (placeId: number | undefined) => void
}

export const CountTable = ({ whole, places, selected, onSelect }: CountTableProps) => {
  const { words } = usePage()
  const [search, setSearch] = useState("")
  const [order, setOrder] = useState<Order>("given")
  const { listed, sums, isTree, onFold } = usePlaceTree(whole, places, { search, order, selected })
  const { box, from, to, before, after, scrollTo } = useWindowed(listed.length, ROW_HEIGHT_PX, MAX_WHOLE_ROWS)
  /** The place that has the tab stop. */
  const [stop, setStop] = useState<number | undefined>(selected)
  useLayoutEffect(() => setStop(selected), [selected])
  const stopsAt = Math.max(
    listed.findIndex(({ place }) => place.placeId === stop),
    0
  )
  // A tab stop that is scrolled away is that of the first row instead.
  const isStopShown = stopsAt >= from && stopsAt < to
  const tabbed = isStopShown ? stopsAt : from
  const isFocusDue = useRef(false)
  useLayoutEffect(() => {
    if (!isFocusDue.current || !isStopShown) return
    isFocusDue.current = false
    box.current!.querySelector<HTMLButtonElement>("button[tabindex='0']")?.focus({ preventScroll: true })
  })
  const onKeyDown = (event: TargetedKeyboardEvent<HTMLTableSectionElement>) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return
    const key = words.direction === "rtl" ? mirrored(event.key) : event.key
    const fold = foldOf(key, listed, tabbed)
    if (fold !== undefined) {
      event.preventDefault()
      return onFold(listed[tabbed]!.place.placeId!, fold)
    }
    const next = rowAfter(key, listed, tabbed)
    if (next === undefined) return
    event.preventDefault()
    scrollTo(next)
    isFocusDue.current = true
    setStop(listed[next]!.place.placeId)
  }
  // Bars of places without a capacity are compared with the fullest of them.
  const most = places.reduce((most, { count }) => Math.max(most, count.inside), 1)
  const kept = useKept()
  const row = (row: PlaceRow<Premises>, nth: number) => {
    const { place, depth, position, siblings, isOpen } = row
    const id = place.placeId ?? 0
    const isSelected = place.placeId === selected
    const part = fullnessOf(place) ?? (id === 0 ? 0 : place.count.inside / most)
    const shown = {
      isTree,
      inParts: sums.get(id),
      rowIndex: nth + 2,
      isSelected,
      hasTabStop: nth === tabbed,
      part,
      onSelect
    }
    return kept(id, [place, depth, position, siblings, isOpen, ...Object.values(shown)], () => (
      <CountRow key={id} row={row} {...shown} onFold={onFold} />
    ))
  }
  const csv = () => [
    ["placeId", "name", "inside", "entered", "left", "capacity", "level"],
    ...[whole, ...places].map(({ placeId, name, count }) => [
      placeId,
      name,
      count.inside,
      count.entered,
      count.left,
      count.capacity,
      count.level
    ])
  ]
  const isLong = listed.length > MAX_WHOLE_ROWS
  return (
    <>
      <div class="bar list-tools">
        {places.length > MIN_SEARCHED_PLACES && (
          <label>
            <span class="unseen">{words.search}</span>
            <input
              type="search"
              placeholder={words.search}
              value={search}
              onInput={({ currentTarget }) => setSearch(currentTarget.value)}
            />
          </label>
        )}
        {places.length > 1 && (
          <label>
            <span class="unseen">{words.sortBy}</span>
            <select value={order} onChange={({ currentTarget }) => setOrder(currentTarget.value as Order)}>
              {ORDERS.map((one) => (
                <option key={one} value={one}>
                  {words.orders[one]}
                </option>
              ))}
            </select>
          </label>
        )}
      </div>
      <div ref={box} class={isLong ? "counts-box long" : "counts-box"}>
        <table class="counts on-screen" role={isTree ? "treegrid" : undefined} aria-rowcount={listed.length + 1}>
          <caption class="unseen">{words.places}</caption>
          <thead>
            <tr aria-rowindex={1}>
              <th scope="col">{words.place}</th>
              <th scope="col" class="number">
                {words.inside}
              </th>
              <th scope="col" class="number">
                {words.capacity}
              </th>
            </tr>
          </thead>
          <tbody onKeyDown={onKeyDown}>
            {before > 0 && <tr aria-hidden="true" style={{ height: `${before}px` }} />}
            {listed.slice(from, to).map((place, nth) => row(place, from + nth))}
            {after > 0 && <tr aria-hidden="true" style={{ height: `${after}px` }} />}
          </tbody>
        </table>
      </div>
      {isTree && <p class="counted">{words.partsHint}</p>}
      <Toolbar class="bar" label={words.places}>
        <CsvButton of={words.places} file="counts" rows={csv} />
        <PrintButton of={words.places} />
      </Toolbar>
      {listed.length === 1 && places.length > 0 && <p role="status">{words.noRows}</p>}
    </>
  )
}
