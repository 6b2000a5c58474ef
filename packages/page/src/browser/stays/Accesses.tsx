/** The section of the tab People that lists completed stays, in the organization or in a place. */
import type { Place } from "@sojourn/client"
import type { TargetedSubmitEvent } from "preact"
import { useState } from "preact/hooks"
import { SubmitBar, useAction } from "../shared/useAction.tsx"
import { usePage } from "../shared/context.ts"
import { DataTable } from "../shared/DataTable.tsx"
import { lengthOf } from "./lengthOf.ts"
import { nameIn, type Names } from "./names.ts"
import { PlaceChoice } from "./PlaceChoice.tsx"
import { type Access, readAccesses } from "./requests.ts"

interface AccessesProps {
  readonly organizationId: number
  readonly places: ReadonlyArray<Place>
  readonly names: Names
  readonly chosen: ReadonlyArray<string>
  readonly onChosen: (people: ReadonlyArray<string>) => void
}

interface Shown {
  readonly of: string
  readonly file: string
  readonly accesses: ReadonlyArray<Access>
}

const secondsOf = ({ entranceTimestamp, exitTimestamp }: Access): number =>
  (Date.parse(exitTimestamp) - Date.parse(entranceTimestamp)) / 1000

export const Accesses = ({ organizationId, places, names, chosen, onChosen }: AccessesProps) => {
  const { words, formats, api } = usePage()
  const { isWaiting, outcome, run } = useAction()
  const [placeId, setPlaceId] = useState<number>()
  const [{ from, to }, setTimes] = useState({ from: "", to: "" })
  const [shown, setShown] = useState<Shown>()

  const submit = (event: TargetedSubmitEvent<HTMLFormElement>) => {
    event.preventDefault()
    const people = [...new Set(chosen.map((line) => line.trim()).filter((line) => line !== ""))]
    run(async () => {
      const accesses = people.length === 0 ? [] : await readAccesses(api, organizationId, placeId, people)
      const of = places.find(({ id }) => id === placeId)?.name ?? words.whole
      const file = placeId === undefined ? `organization-${organizationId}` : `place-${placeId}`
      setShown({ of, file: `accesses-${file}`, accesses })
    })
  }
  // Those that are at least in part in the time that was asked for.
  const [begin, end] = [from === "" ? -Infinity : Date.parse(from), to === "" ? Infinity : Date.parse(to)]
  const found = (shown?.accesses ?? []).filter(
    ({ entranceTimestamp, exitTimestamp }) => Date.parse(exitTimestamp) >= begin && Date.parse(entranceTimestamp) <= end
  )
  return (
    <section>
      <h2>{words.accesses}</h2>
      <p>{words.accessesHint}</p>
      <form onSubmit={submit}>
        <label>
          {words.peopleLines}
          <textarea
            rows={4}
            required
            value={chosen.join("\n")}
            onInput={({ currentTarget: { value } }) => onChosen(value === "" ? [] : value.split("\n"))}
          />
        </label>
        <PlaceChoice places={places} otherwise={words.whole} placeId={placeId} onPlace={setPlaceId} />
        <div class="bar">
          {(["from", "to"] as const).map((name) => (
            <label key={name}>
              {words.times[name]}
              <input
                type="datetime-local"
                value={name === "from" ? from : to}
                onInput={({ currentTarget: { value } }) => setTimes({ from, to, [name]: value })}
              />
            </label>
          ))}
        </div>
        <SubmitBar
          label={words.showAccesses}
          outcome={isWaiting ? words.loading : outcome}
          class="primary"
          disabled={isWaiting}
        />
      </form>
      {shown !== undefined && (
        <>
          <h3>{shown.of}</h3>
          <DataTable
            caption={words.accesses}
            columns={[
              { title: words.person, cell: ({ orgAuthServerId }) => orgAuthServerId },
              { title: words.name, cell: ({ orgAuthServerId }) => nameIn(names, orgAuthServerId) || "–" },
              { title: words.entrance, cell: ({ entranceTimestamp }) => formats.moment(entranceTimestamp) },
              { title: words.exit, cell: ({ exitTimestamp }) => formats.moment(exitTimestamp) },
              { title: words.duration, isNumber: true, cell: (access) => lengthOf(secondsOf(access)) }
            ]}
            rows={found}
            keyOf={({ id }) => String(id)}
            file={shown.file}
            toCsv={({ id, orgAuthServerId, entranceTimestamp, exitTimestamp }) => ({
              id,
              orgAuthServerId,
              name: names.get(orgAuthServerId)?.name,
              surname: names.get(orgAuthServerId)?.surname,
              entranceTimestamp,
              exitTimestamp
            })}
          />
        </>
      )}
    </section>
  )
}
