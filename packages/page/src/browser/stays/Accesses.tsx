/** The section of the tab People that lists completed stays, in the organization or in a place: those of a window, or all of some people. */
import type { Place } from "@sojourn/client"
import type { TargetedSubmitEvent } from "preact"
import { useState } from "preact/hooks"
import { SubmitBar, useAction } from "../shared/useAction.tsx"
import { useOpened } from "../shared/context.ts"
import { Loading } from "../shared/Loading.tsx"
import { DataTable } from "../shared/DataTable.tsx"
import type { Window } from "../shared/localTime.ts"
import { PartsTable, useParts } from "../shared/useParts.tsx"
import { lengthOf } from "./lengthOf.ts"
import { nameIn, type Names } from "./names.ts"
import { PlaceChoice } from "./PlaceChoice.tsx"
import { type Access, type AccessQuery, partsOf, readAccesses, readWindow, saveWindow, WHOLE } from "./requests.ts"

interface AccessesProps {
  readonly organizationId: number
  readonly places: ReadonlyArray<Place>
  readonly names: Names
  readonly chosen: ReadonlyArray<string>
  readonly onChosen: (people: ReadonlyArray<string>) => void
  /** The window; without one nothing is listed but the stays of any time. */
  readonly window: Window | undefined
  readonly isAny: boolean
  readonly zone: string
}

/** What was asked for: a window, or all stays of people, which are read. */
type Shown = { readonly of: string } & (
  | { readonly query: AccessQuery }
  | { readonly file: string; readonly accesses: ReadonlyArray<Access> }
)

const secondsOf = ({ entranceTimestamp, exitTimestamp }: Access): number =>
  (Date.parse(exitTimestamp) - Date.parse(entranceTimestamp)) / 1000

/** The columns of accesses. */
const useColumns = ({ places, names, zone }: Pick<AccessesProps, "places" | "names" | "zone">) => {
  const { words, formats } = useOpened()
  const moment = formats.momentIn(zone)
  const placeOf = ({ placeId }: Access) =>
    placeId === undefined ? words.whole : (places.find(({ id }) => id === placeId)?.name ?? placeId)
  return [
    { title: words.person, cell: ({ orgAuthServerId }: Access) => orgAuthServerId },
    { title: words.name, cell: ({ orgAuthServerId }: Access) => nameIn(names, orgAuthServerId) || "–" },
    { title: words.place, cell: placeOf },
    { title: words.entrance, cell: ({ entranceTimestamp }: Access) => moment(entranceTimestamp) },
    { title: words.exit, cell: ({ exitTimestamp }: Access) => moment(exitTimestamp) },
    { title: words.duration, isNumber: true, cell: (access: Access) => lengthOf(secondsOf(access)) }
  ]
}

// Ids are of the organization or of places.
const keyOf = ({ id, placeId }: Access) => `${placeId} ${id}`

interface OfWindowProps {
  readonly query: AccessQuery
  readonly columns: ReturnType<typeof useColumns>
}

/** The accesses of a window, in parts, and all of them as a file that the server makes. */
const OfWindow = ({ query, columns }: OfWindowProps) => {
  const { words, api } = useOpened()
  const parts = useParts((after: string | undefined) => readWindow(api, query, after), [query])
  const { isWaiting, outcome, run } = useAction()
  return (
    <>
      <PartsTable
        caption={words.accesses}
        columns={columns}
        parts={parts}
        keyOf={keyOf}
        onSave={() => isWaiting || run(() => saveWindow(api, query))}
      />
      <p role="status">{isWaiting ? <Loading /> : outcome}</p>
    </>
  )
}

export const Accesses = (props: AccessesProps) => {
  const { organizationId, places, names, chosen, onChosen, window, isAny } = props
  const { words, api } = useOpened()
  const { isWaiting, outcome, run } = useAction()
  const [place, setPlaceId] = useState<number>()
  const placeId = isAny && place === WHOLE ? undefined : place
  const [shown, setShown] = useState<Shown>()
  const columns = useColumns(props)

  const submit = (event: TargetedSubmitEvent<HTMLFormElement>) => {
    event.preventDefault()
    const people = [...new Set(chosen.map((line) => line.trim()).filter((line) => line !== ""))]
    const whole = isAny ? words.whole : words.everywhere
    const of = placeId === WHOLE ? words.whole : (places.find(({ id }) => id === placeId)?.name ?? whole)
    run(async () => {
      if (!isAny) {
        if (partsOf(people).length > 1) return words.tooManyPeople
        if (window === undefined) return words.periodWrong
        return setShown({ of, query: { organizationId, placeId, people, ...window } })
      }
      const accesses = people.length === 0 ? [] : await readAccesses(api, organizationId, placeId, people)
      const file = placeId === undefined ? `organization-${organizationId}` : `place-${placeId}`
      setShown({ of, file: `accesses-${file}`, accesses })
    })
  }
  return (
    <section>
      <h2>{words.accesses}</h2>
      <p>{words.accessesHint}</p>
      <form onSubmit={submit}>
        <label>
          {words.peopleLines}
          <textarea
            rows={4}
            required={isAny}
            value={chosen.join("\n")}
            onInput={({ currentTarget: { value } }) => onChosen(value === "" ? [] : value.split("\n"))}
          />
        </label>
        <PlaceChoice
          places={isAny ? places : [{ id: WHOLE, name: words.whole }, ...places]}
          otherwise={isAny ? words.whole : words.everywhere}
          placeId={placeId}
          onPlace={setPlaceId}
        />
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
          {"query" in shown ? (
            <OfWindow query={shown.query} columns={columns} />
          ) : (
            <DataTable
              caption={words.accesses}
              columns={columns}
              rows={shown.accesses}
              keyOf={keyOf}
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
          )}
        </>
      )}
    </section>
  )
}
