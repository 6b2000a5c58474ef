/** All people of a muster on paper, whatever the list on the screen is filtered by, with a column to sign in. */
import type { Muster } from "@sojourn/client"
import type { Premises } from "../organizations/model.ts"
import { nameIn, namesOf } from "../stays/names.ts"
import { useOpened } from "../shared/context.ts"
import { usePrinting } from "../shared/usePrinting.ts"
import { placeNames } from "./musterPlaces.ts"

interface PrintedMusterProps {
  readonly muster: Muster
  readonly places: ReadonlyArray<Premises>
}

export const PrintedMuster = ({ muster, places }: PrintedMusterProps) => {
  const { words, formats, api } = useOpened()
  if (!usePrinting()) return null
  const names = namesOf(api, muster.organizationId)
  const people = muster.people ?? []
  return (
    <section class="on-paper">
      <p>{words.printedAt(formats.moment(new Date()))}</p>
      {people.length > 0 && (
        <table>
          <thead>
            <tr>
              <th scope="col">{words.person}</th>
              {names.size > 0 && <th scope="col">{words.name}</th>}
              <th scope="col">{words.place}</th>
              <th scope="col">{words.since}</th>
              <th scope="col">{words.state}</th>
              <th scope="col">{words.signature}</th>
            </tr>
          </thead>
          <tbody>
            {people.map(({ orgAuthServerId, placeIds, since, state }) => (
              <tr key={orgAuthServerId}>
                <th scope="row">{orgAuthServerId}</th>
                {names.size > 0 && <td>{nameIn(names, orgAuthServerId) || "–"}</td>}
                <td>{placeNames(words, places, placeIds)}</td>
                <td>{since === undefined ? "–" : formats.moment(since)}</td>
                <td>{words.personState[state]}</td>
                <td class="signature" />
              </tr>
            ))}
          </tbody>
        </table>
      )}
    </section>
  )
}
