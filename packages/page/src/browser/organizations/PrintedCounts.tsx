/** All places with their counts, on paper alone: the list on the screen may be searched, or show a part. */
import { serverNow } from "../shared/clock.ts"
import { usePage } from "../shared/context.ts"
import { usePrinting } from "../shared/usePrinting.ts"
import { pathNameOf } from "./lineages.ts"
import type { Premises } from "./model.ts"

export const PrintedCounts = ({ premises }: { readonly premises: ReadonlyArray<Premises> }) => {
  const { words, formats } = usePage()
  if (!usePrinting()) return null
  return (
    <section class="on-paper">
      <p>{words.printedAt(formats.moment(serverNow()))}</p>
      <table>
        <thead>
          <tr>
            <th scope="col">{words.place}</th>
            <th scope="col">{words.inside}</th>
            <th scope="col">{words.capacity}</th>
            <th scope="col">{words.state}</th>
          </tr>
        </thead>
        <tbody>
          {premises.map(({ placeId, lineage, count: { inside, capacity, level } }) => (
            <tr key={placeId}>
              <th scope="row">{placeId === undefined ? words.whole : pathNameOf(lineage)}</th>
              <td>{formats.number(inside)}</td>
              <td>{capacity === undefined ? "–" : formats.number(capacity)}</td>
              <td>{words.level[level]}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  )
}
