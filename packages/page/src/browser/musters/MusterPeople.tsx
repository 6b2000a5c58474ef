/** The people of a muster, to be marked as safe; in an anonymous one how many are at the muster point. */
import type { TargetedSubmitEvent } from "preact"
import { useLayoutEffect, useRef, useState } from "preact/hooks"
import type { Muster, MusterMarking } from "@sojourn/client"
import type { Premises } from "../organizations/model.ts"
import { placeNames } from "./musterPlaces.ts"
import { isSearched, nameIn, namesOf } from "../stays/names.ts"
import { ActionButton } from "../shared/ActionButton.tsx"
import { useOpened } from "../shared/context.ts"

/** How many rows are shown at once. */
const MAX_ROWS = 500

export interface MusterPeopleProps {
  readonly muster: Muster
  readonly places: ReadonlyArray<Premises>
  readonly isWaiting: boolean
  readonly mark: (marking: MusterMarking) => void
  /** Takes the mark of a person back. */
  readonly unmark: (orgAuthServerId: string) => void
}

interface MarkFormProps extends Pick<MusterPeopleProps, "isWaiting" | "mark"> {
  readonly isAnonymous: boolean
}

/** Marks a person by an identifier, or how many are at the muster point. */
const MarkForm = ({ isAnonymous, isWaiting, mark }: MarkFormProps) => {
  const { words } = useOpened()
  const submit = (event: TargetedSubmitEvent<HTMLFormElement>) => {
    event.preventDefault()
    const text = String(new FormData(event.currentTarget).get("safe")).trim()
    event.currentTarget.reset()
    mark(isAnonymous ? { count: Number(text) } : { orgAuthServerIds: [text] })
  }
  return (
    <form onSubmit={submit} class="bar">
      <label>
        {isAnonymous ? words.countSafe : words.addSafe}{" "}
        {isAnonymous ? <input name="safe" type="number" min="0" step="1" required /> : <input name="safe" required />}
      </label>
      <button type="submit" disabled={isWaiting}>
        {words.save}
      </button>
    </form>
  )
}

interface PersonRowProps extends Pick<MusterPeopleProps, "places" | "isWaiting"> {
  readonly person: NonNullable<Muster["people"]>[number]
  readonly name: string | undefined
  readonly isOpen: boolean
  readonly onMark: () => void
  readonly onUnmark: () => void
}

const PersonRow = ({ person, name, places, isOpen, isWaiting, onMark, onUnmark }: PersonRowProps) => {
  const { words, formats } = useOpened()
  const { orgAuthServerId, placeIds, since, state } = person
  return (
    <tr>
      <th scope="row">{orgAuthServerId}</th>
      {name !== undefined && <td>{name}</td>}
      <td>{placeNames(words, places, placeIds)}</td>
      <td>{since === undefined ? "–" : formats.moment(since)}</td>
      <td>
        <span class={`badge ${state}`}>{words.personState[state]}</span>{" "}
        {isOpen && state === "missing" && (
          <ActionButton action={words.markSafe} of={orgAuthServerId} disabled={isWaiting} onClick={onMark} />
        )}
        {isOpen && state === "safe" && (
          <ActionButton action={words.takeBack} of={orgAuthServerId} disabled={isWaiting} onClick={onUnmark} />
        )}
      </td>
    </tr>
  )
}

export const MusterPeople = ({ muster, places, isWaiting, mark, unmark }: MusterPeopleProps) => {
  const { words, formats, api } = useOpened()
  const [search, setSearch] = useState("")
  const [onlyMissing, setOnlyMissing] = useState(true)
  const rows = useRef<HTMLTableSectionElement>(null)
  /** The row whose person was marked last: the focus goes to the button that takes its place. */
  const markedRow = useRef<number | undefined>(undefined)
  useLayoutEffect(() => {
    if (markedRow.current === undefined || isWaiting) return
    if (document.activeElement === document.body) {
      const all = [...rows.current!.rows]
      const next = [...all.slice(markedRow.current), ...all].map((row) => row.querySelector("button")).find(Boolean)
      ;(next ?? searchField.current)?.focus()
    }
    markedRow.current = undefined
  }, [muster])
  const searchField = useRef<HTMLInputElement>(null)
  const isOpen = muster.endedAt === undefined
  const { people } = muster
  const names = namesOf(api, muster.organizationId)

  const found = (people ?? []).filter(
    ({ orgAuthServerId, state }) => (!onlyMissing || state === "missing") && isSearched(names, orgAuthServerId, search)
  )
  return (
    <>
      {isOpen && <MarkForm isAnonymous={people === undefined} isWaiting={isWaiting} mark={mark} />}
      {people !== undefined && (
        <>
          <div class="bar">
            <label>
              {words.search}{" "}
              <input
                ref={searchField}
                type="search"
                value={search}
                onInput={({ currentTarget }) => setSearch(currentTarget.value)}
              />
            </label>
            <label class="check">
              <input
                type="checkbox"
                checked={onlyMissing}
                onChange={({ currentTarget }) => setOnlyMissing(currentTarget.checked)}
              />
              {words.onlyMissing}
            </label>
            <span role="status">
              {words.shown(formats.number(Math.min(found.length, MAX_ROWS)), formats.number(people.length))}
            </span>
          </div>
          <table class="on-screen">
            <caption class="unseen">{words.muster}</caption>
            <thead>
              <tr>
                <th scope="col">{words.person}</th>
                {names.size > 0 && <th scope="col">{words.name}</th>}
                <th scope="col">{words.place}</th>
                <th scope="col">{words.since}</th>
                <th scope="col">{words.state}</th>
              </tr>
            </thead>
            <tbody ref={rows}>
              {found.slice(0, MAX_ROWS).map((person, nth) => (
                <PersonRow
                  key={person.orgAuthServerId}
                  person={person}
                  name={names.size > 0 ? nameIn(names, person.orgAuthServerId) || "–" : undefined}
                  places={places}
                  isOpen={isOpen}
                  isWaiting={isWaiting}
                  onMark={() => {
                    markedRow.current = nth
                    mark({ orgAuthServerIds: [person.orgAuthServerId] })
                  }}
                  onUnmark={() => unmark(person.orgAuthServerId)}
                />
              ))}
            </tbody>
          </table>
        </>
      )}
    </>
  )
}
