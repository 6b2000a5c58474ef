/** The people of a muster as rows with a large button; in an anonymous one how many are at the muster point. */
import type { RefObject } from "preact"
import type { Muster } from "@sojourn/client"
import { useEffect, useLayoutEffect, useRef, useState } from "preact/hooks"
import { ActionButton } from "../shared/ActionButton.tsx"
import { useOpened } from "../shared/context.ts"
import { type Fields, Form, NumberField } from "../shared/Form.tsx"
import { isSearched, nameIn, namesOf } from "../stays/names.ts"
import { type MusterWork, PlaceNames } from "./PlacesToSearch.tsx"

/** How many rows are shown at once. */
const MAX_ROWS = 500

/** How long the row of a person who was marked stays where it is, in milliseconds. */
const HOLD_MS = 10_000

const GROUPS = ["missing", "safe", "left"] as const

type Person = NonNullable<Muster["people"]>[number]

/** How many people are at the muster point. */
export const CountForm = ({ act, waiting }: Pick<MusterWork, "act" | "waiting">) => {
  const { words } = useOpened()
  const send = async (fields: Fields, form: HTMLFormElement) => {
    act({ kind: "count", count: Number(fields["safe"]) })
    form.reset()
  }
  return (
    <Form
      class="bar"
      label={words.save}
      button={{ class: "primary" }}
      more={waiting.has("count") && <i class="waiting">{words.waiting}</i>}
      send={send}
    >
      <NumberField label={words.countSafe} name="safe" min="0" step="1" inputMode="numeric" />
    </Form>
  )
}

/** The people whose rows stay among the missing for a while after they were marked. */
const useHeld = () => {
  const [held, setHeld] = useState<ReadonlySet<string>>(new Set())
  const timers = useRef(new Map<string, ReturnType<typeof setTimeout>>()).current
  useEffect(() => () => timers.forEach(clearTimeout), [])
  const hold = (person: string, milliseconds: number) => {
    clearTimeout(timers.get(person))
    setHeld((held) => new Set(held).add(person))
    const release = () => setHeld((held) => new Set([...held].filter((one) => one !== person)))
    timers.set(person, setTimeout(release, milliseconds))
  }
  return { held, hold }
}

/** What a list listens to, so that a button that goes leaves the focus to the next person who is missing, or to the field of the search. */
const useKeptFocus = (list: RefObject<HTMLElement | null>, field: RefObject<HTMLElement | null>) => {
  /** The row whose button has the focus, and its position. */
  const focused = useRef<{ readonly element: Element; readonly nth: number } | undefined>(undefined)
  const rows = () => [...list.current!.querySelectorAll("li")]
  useEffect(() => {
    const forget = () => (focused.current = undefined)
    addEventListener("pointerdown", forget)
    return () => removeEventListener("pointerdown", forget)
  }, [])
  useLayoutEffect(() => {
    if (focused.current === undefined || focused.current.element.isConnected) return
    const { nth } = focused.current
    focused.current = undefined
    if (document.activeElement !== document.body) return
    const next = [...rows().slice(nth), ...rows()].find((row) => row.classList.contains("missing"))
    ;(next?.querySelector("button") ?? field.current)?.focus({ preventScroll: true })
  })
  return {
    onFocusIn: ({ target }: FocusEvent) => {
      const nth = rows().findIndex((row) => row.contains(target as Element))
      focused.current = nth < 0 ? undefined : { element: target as Element, nth }
    },
    onFocusOut: ({ relatedTarget }: FocusEvent) => {
      if (relatedTarget !== null) focused.current = undefined
    }
  }
}

export const MusterPeople = ({ muster, places, waiting, act }: MusterWork) => {
  const { words, formats, api } = useOpened()
  const { people = [] } = muster
  const [search, setSearch] = useState("")
  const { held, hold } = useHeld()
  const list = useRef<HTMLElement>(null)
  const field = useRef<HTMLInputElement>(null)
  const keptFocus = useKeptFocus(list, field)
  useEffect(() => {
    const focus = (event: KeyboardEvent) => {
      const isTyping = event.target instanceof Element && event.target.closest("input, select, textarea, dialog")
      if (event.key !== "/" || isTyping || event.ctrlKey || event.metaKey || event.altKey) return
      event.preventDefault()
      field.current?.focus()
    }
    addEventListener("keydown", focus)
    return () => removeEventListener("keydown", focus)
  }, [])
  const names = namesOf(api, muster.organizationId)
  const wanted = search.trim()
  const mark = (person: string, kind: "safe" | "missing") => {
    hold(person, kind === "safe" ? HOLD_MS : 0)
    act({ kind, person })
  }
  const groupOf = ({ orgAuthServerId, state }: Person) => (held.has(orgAuthServerId) ? "missing" : state)
  const found = people.filter(({ orgAuthServerId }) => isSearched(names, orgAuthServerId, search))
  const groups = Map.groupBy(found, groupOf)
  let room = MAX_ROWS
  const row = ({ orgAuthServerId: id, placeIds, since, state }: Person) => {
    const name = nameIn(names, id)
    const [kind, label] = state === "missing" ? (["safe", words.markSafe] as const) : (["missing", words.undo] as const)
    return (
      <li key={id} class={state}>
        <span>
          <b>
            <bdi>{name || id}</bdi>
          </b>
          <small>
            {name !== "" && <bdi>{id}</bdi>}
            {name !== "" && " · "}
            <PlaceNames places={places} ids={placeIds} />
            {since !== undefined && ` · ${formats.dayAndTime(since)}`}
          </small>
        </span>
        {waiting.has(`person ${id}`) && <i class="waiting">{words.waiting}</i>}
        {held.has(id) && state !== "missing" && <b class={`badge ${state}`}>{words.personState[state]}</b>}
        {state !== "left" && (
          // Another one for the undo, so that the focus goes on to the next person.
          <ActionButton action={label} of={id} key={kind} onClick={() => mark(id, kind)} />
        )}
      </li>
    )
  }
  return (
    <section ref={list} aria-labelledby="muster-people" {...keptFocus}>
      <h2 id="muster-people">{words.people}</h2>
      <label class="muster-search">
        <span class="unseen">{words.searchPeople}</span>
        <input
          ref={field}
          type="search"
          placeholder={words.searchPeople}
          aria-keyshortcuts="/"
          value={search}
          onInput={({ currentTarget }) => setSearch(currentTarget.value)}
        />
      </label>
      {found.length > MAX_ROWS && <p>{words.shown(formats.number(MAX_ROWS), formats.number(found.length))}</p>}
      {GROUPS.map((group) => {
        const rows = groups.get(group) ?? []
        const shown = rows.slice(0, room)
        room -= shown.length
        return (
          rows.length > 0 && (
            <section key={group} class={`muster-group ${group}`} aria-labelledby={`group-${group}`}>
              <h3 id={`group-${group}`}>
                {words.personState[group]} <span class="number">{formats.number(rows.length)}</span>
              </h3>
              <ul>{shown.map(row)}</ul>
            </section>
          )
        )
      })}
      {wanted !== "" && !people.some(({ orgAuthServerId }) => orgAuthServerId === wanted) && (
        <ActionButton
          action={words.addSafe(wanted)}
          class="add-safe"
          onClick={() => act({ kind: "safe", person: wanted })}
        />
      )}
    </section>
  )
}
