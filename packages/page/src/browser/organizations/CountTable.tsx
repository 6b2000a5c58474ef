/** The counts of the organization and its places as a table: the map's content for those who cannot see it. */
import type { TargetedKeyboardEvent } from "preact"
import { useLayoutEffect, useRef, useState } from "preact/hooks"
import { isQuiet } from "../live/counts.ts"
import { LevelBadge } from "../live/LevelBadge.tsx"
import { Choice, Search } from "../shared/fields.tsx"
import { Toolbar } from "../shared/Toolbar.tsx"
import { ActionButton, CsvButton, PrintButton, tableOf } from "../shared/ActionButton.tsx"
import type { PlaceRow } from "./lineages.ts"
import type { Premises } from "./model.ts"
import { usePage } from "../shared/context.ts"
import { useWindowed } from "./useWindowed.ts"
import { fullnessOf, type Order, ORDERS } from "./order.ts"
import { Fullness, SoftNumber } from "./SoftNumber.tsx"
import { stepOf, usePlaceTree } from "./usePlaceTree.ts"

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
  const { words, formats } = usePage()
  const [search, setSearch] = useState("")
  const [order, setOrder] = useState<Order>("given")
  const { listed, sums, isTree, fold } = usePlaceTree(whole, places, { search, order, selected })
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
    const step = stepOf(event.key, words.direction === "rtl", listed, tabbed)
    if (step === undefined) return
    event.preventDefault()
    if (typeof step === "boolean") return fold(listed[tabbed]!.place.placeId!, step)
    scrollTo(step)
    isFocusDue.current = true
    setStop(listed[step]!.place.placeId)
  }
  // Bars of places without a capacity are compared with the fullest of them.
  const most = places.reduce((most, { count }) => Math.max(most, count.inside), 1)
  const row = ({ place, depth, position, siblings, isOpen }: PlaceRow<Premises>, nth: number) => {
    const { placeId, name, count } = place
    const isWhole = placeId === undefined
    const inParts = sums.get(placeId ?? 0)
    const inTree = isTree && {
      "aria-level": depth,
      "aria-posinset": position,
      "aria-setsize": siblings,
      "aria-expanded": isOpen
    }
    return (
      <tr
        key={placeId ?? 0}
        class={`${isWhole ? "whole" : ""} ${placeId === selected ? "selected" : ""}`}
        aria-rowindex={nth + 2}
        {...inTree}
      >
        <th scope="row" style={{ "--depth": depth - 1 }}>
          {isOpen !== undefined && (
            <button
              type="button"
              class="fold"
              tabindex={-1}
              aria-label={(isOpen ? words.hideParts : words.showParts)(name)}
              onClick={() => fold(placeId!, !isOpen)}
            />
          )}
          <ActionButton
            action={isWhole ? words.whole : name}
            dir="auto"
            title={name}
            tabindex={nth === tabbed ? 0 : -1}
            aria-pressed={placeId === selected}
            aria-expanded={isOpen}
            onClick={() => onSelect(placeId)}
          />
          <div class="filled">
            <Fullness level={count.level} part={fullnessOf(place) ?? (isWhole ? 0 : count.inside / most)} />
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
  const csv = ({ placeId, name, count: { inside, entered, left, capacity, level } }: Premises) => ({
    placeId,
    name,
    inside,
    entered,
    left,
    capacity,
    level
  })
  return (
    <>
      <div class="bar list-tools">
        {places.length > MIN_SEARCHED_PLACES && <Search value={search} onSearch={setSearch} />}
        {places.length > 1 && (
          <Choice
            label={words.sortBy}
            isLabelUnseen
            texts={words.orders}
            values={ORDERS}
            value={order}
            onValue={setOrder}
          />
        )}
      </div>
      <div ref={box} class={listed.length > MAX_WHOLE_ROWS ? "counts-box long" : "counts-box"}>
        <table class="counts on-screen" role={isTree ? "treegrid" : undefined} aria-rowcount={listed.length + 1}>
          <caption class="unseen">{words.places}</caption>
          <thead>
            <tr aria-rowindex={1}>
              <th scope="col">{words.place}</th>
              {[words.inside, words.capacity].map((title) => (
                <th key={title} scope="col" class="number">
                  {title}
                </th>
              ))}
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
        <CsvButton of={words.places} file="counts" rows={() => tableOf([whole, ...places], csv)} />
        <PrintButton of={words.places} />
      </Toolbar>
      {listed.length === 1 && places.length > 0 && <p role="status">{words.noRows}</p>}
    </>
  )
}
