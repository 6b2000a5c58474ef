import { useState } from "preact/hooks"
import type { PersonInsideJson } from "@sojourn/adapter-http/json"
import { type PanelProps, pathOf } from "../model.ts"
import { LIST_EVERY, sentenceOf, useLoaded, useSeldom, useShared } from "../shared.ts"

/** As many rows are shown at once. */
const MOST = 500

/** The people who are inside of the selected premises. */
const Inside = ({ organizationId, premises, places, live }: PanelProps) => {
  const { words, formats, api } = useShared()
  const [search, setSearch] = useState("")
  const path = `${pathOf("presence", organizationId, premises.placeId)}/inside`
  const version = useSeldom(live.counts.organizations.get(organizationId)?.version, LIST_EVERY)
  const { value, failure, reload } = useLoaded(
    async () => (await api.get<ReadonlyArray<PersonInsideJson>>(path)) ?? [],
    [path, version]
  )
  if (failure !== undefined) return <p role="alert">{sentenceOf(words, failure)}</p>
  if (value === undefined) return <p role="status">{words.loading}</p>
  const nameOf = (id: number | undefined) => places.find((place) => place.placeId === id)?.name ?? words.whole
  const found = value.filter(({ orgAuthServerId }) => orgAuthServerId.toLowerCase().includes(search.toLowerCase()))
  return (
    <>
      <p>{value.length === 0 ? words.noPeopleInside : words.forgottenExits}</p>
      <div class="bar">
        <label>
          {words.search}{" "}
          <input type="search" value={search} onInput={({ currentTarget }) => setSearch(currentTarget.value)} />
        </label>
        <span role="status">
          {words.shown(formats.number(Math.min(found.length, MOST)), formats.number(value.length))}
        </span>
        <button type="button" onClick={reload}>
          {words.refresh}
        </button>
      </div>
      <table>
        <caption class="unseen">{words.whoIsInside}</caption>
        <thead>
          <tr>
            <th scope="col">{words.person}</th>
            <th scope="col">{words.place}</th>
            <th scope="col">{words.since}</th>
          </tr>
        </thead>
        <tbody>
          {found.slice(0, MOST).map(({ orgAuthServerId, placeId, since }) => (
            <tr key={`${placeId} ${orgAuthServerId}`}>
              <th scope="row">{orgAuthServerId}</th>
              <td>{nameOf(placeId)}</td>
              <td>{formats.moment(since)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </>
  )
}

export default Inside
