/** The section of the tab People that lists completed stays, in the organization or in a place: those of a window, or all of some people. */
import { useState } from "preact/hooks"
import { WHOLE } from "../organizations/model.ts"
import { PlaceChoice } from "../organizations/PlaceChoice.tsx"
import { useAction } from "../shared/useAction.tsx"
import { useOpened } from "../shared/context.ts"
import { Loading } from "../shared/NotLoaded.tsx"
import { DataTable } from "../shared/DataTable.tsx"
import { Form } from "../shared/Form.tsx"
import { PartsTable, useParts } from "../shared/useParts.tsx"
import { lengthOf, nameIn } from "./names.ts"
import { fileOf, type Shared } from "./Report.tsx"
import { type Access, type AccessQuery, partsOf, readAccesses, readWindow, saveWindow } from "./requests.ts"

interface AccessesProps extends Shared {
  readonly isAny: boolean
}

/** What was asked for: a window, or all stays of people, which are read. */
type Shown = { readonly of: string } & (
  | { readonly query: AccessQuery }
  | { readonly file: string; readonly accesses: ReadonlyArray<Access> }
)

const secondsOf = ({ entranceTimestamp, exitTimestamp }: Access): number =>
  (Date.parse(exitTimestamp) - Date.parse(entranceTimestamp)) / 1000

/** What tables of accesses have in common. */
const useTable = ({ places, names }: Shared) => {
  const { words, formats } = useOpened()
  const placeOf = ({ placeId }: Access) =>
    placeId === undefined ? words.whole : (places.find(({ id }) => id === placeId)?.name ?? placeId)
  return {
    caption: words.stays,
    columns: [
      { title: words.person, cell: ({ orgAuthServerId }: Access) => orgAuthServerId },
      { title: words.name, cell: ({ orgAuthServerId }: Access) => nameIn(names, orgAuthServerId) || "–" },
      { title: words.place, cell: placeOf },
      { title: words.entrance, cell: ({ entranceTimestamp }: Access) => formats.moment(entranceTimestamp) },
      { title: words.exit, cell: ({ exitTimestamp }: Access) => formats.moment(exitTimestamp) },
      { title: words.duration, isNumber: true, cell: (access: Access) => lengthOf(secondsOf(access)) }
    ],
    // Ids are of the organization or of places.
    keyOf: ({ id, placeId }: Access) => `${placeId} ${id}`
  }
}

/** The accesses of a window, in parts, and all of them as a file that the server makes. */
const OfWindow = ({ query, table }: { readonly query: AccessQuery; readonly table: ReturnType<typeof useTable> }) => {
  const { api } = useOpened()
  const parts = useParts((after: string | undefined) => readWindow(api, query, after), [query])
  const { isWaiting, outcome, run } = useAction()
  return (
    <>
      <PartsTable {...table} parts={parts} onSave={() => isWaiting || run(() => saveWindow(api, query))} />
      <p role="status">{isWaiting ? <Loading /> : outcome}</p>
    </>
  )
}

export const Accesses = (props: AccessesProps) => {
  const { organizationId, places, names, chosen, onChosen, window, isAny } = props
  const { words, api } = useOpened()
  const [place, setPlaceId] = useState<number>()
  const placeId = isAny && place === WHOLE ? undefined : place
  const [shown, setShown] = useState<Shown>()
  const table = useTable(props)
  const action = useAction()
  const otherwise = isAny ? words.whole : words.everywhere
  const choices = isAny ? places : [{ id: WHOLE, name: words.whole }, ...places]

  const show = async () => {
    const people = [...new Set(chosen.map((line) => line.trim()).filter((line) => line !== ""))]
    const of = choices.find(({ id }) => id === placeId)?.name ?? otherwise
    if (!isAny) {
      if (partsOf(people).length > 1) return words.tooManyPeople
      if (window === undefined) return words.periodWrong
      const premises = placeId === WHOLE ? { organizationId, premises: "own" as const } : { organizationId }
      const query = { ...window, orgAuthServerId: people, ...(placeId ? { placeId } : premises) }
      return setShown({ of, query })
    }
    const accesses = people.length === 0 ? [] : await readAccesses(api, organizationId, placeId, people)
    setShown({ of, file: `accesses-${fileOf(organizationId, placeId)}`, accesses })
  }
  return (
    <section>
      <h2>{words.stays}</h2>
      <p>{words.accessesHint}</p>
      <Form
        label={words.showAccesses}
        button={{ class: "primary" }}
        more={action.isWaiting && words.loading}
        action={action}
        send={show}
      >
        <label>
          {words.peopleLines}
          <textarea
            rows={4}
            required={isAny}
            value={chosen.join("\n")}
            onInput={({ currentTarget: { value } }) => onChosen(value === "" ? [] : value.split("\n"))}
          />
        </label>
        <PlaceChoice places={choices} otherwise={otherwise} placeId={placeId} onPlace={setPlaceId} />
      </Form>
      {shown !== undefined && (
        <>
          <h3>{shown.of}</h3>
          {"query" in shown ? (
            <OfWindow query={shown.query} table={table} />
          ) : (
            <DataTable
              {...table}
              rows={shown.accesses}
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
