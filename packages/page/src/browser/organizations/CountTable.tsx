/** The counts of the organization and its places as a table: the map's content for those who cannot see it. */
import { CsvButton } from "../shared/CsvButton.tsx"
import { LevelBadge } from "../live/LevelBadge.tsx"
import type { Premises } from "./model.ts"
import { usePage } from "../shared/context.ts"

interface CountTableProps {
  readonly whole: Premises
  readonly places: ReadonlyArray<Premises>
  readonly selected: number | undefined
  readonly onSelect: (placeId: number | undefined) => void
}

export const CountTable = ({ whole, places, selected, onSelect }: CountTableProps) => {
  const { words, formats } = usePage()
  const row = ({ placeId, name, count }: Premises) => (
    <tr key={placeId ?? 0} class={placeId === selected ? "selected" : ""}>
      <th scope="row">
        <button type="button" aria-pressed={placeId === selected} onClick={() => onSelect(placeId)}>
          {placeId === undefined ? words.whole : name}
        </button>
      </th>
      <td class="number">{formats.number(count.inside)}</td>
      <td class="number">{count.capacity === undefined ? "–" : formats.number(count.capacity)}</td>
      <td>{count.level === "none" ? words.level.none : <LevelBadge level={count.level} />}</td>
    </tr>
  )
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
  return (
    <>
      <table class="counts on-screen">
        <caption>{words.places}</caption>
        <thead>
          <tr>
            <th scope="col">{words.place}</th>
            <th scope="col" class="number">
              {words.inside}
            </th>
            <th scope="col" class="number">
              {words.capacity}
            </th>
            <th scope="col">{words.state}</th>
          </tr>
        </thead>
        <tbody>{[whole, ...places].map(row)}</tbody>
      </table>
      <CsvButton of={words.places} file="counts" rows={csv} />
    </>
  )
}
