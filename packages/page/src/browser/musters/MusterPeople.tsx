/** The people of a muster as rows with a large button; in an anonymous one how many are at the muster point. */
import type { TargetedSubmitEvent } from "preact"
import type { Muster } from "@sojourn/client"
import { useEffect, useLayoutEffect, useRef, useState } from "preact/hooks"
import { useOpened } from "../shared/context.ts"
import { isSearched, nameIn, namesOf } from "../stays/names.ts"
import type { MusterWorkProps } from "./PlacesToSearch.tsx"
import { placeNames } from "./musterPlaces.ts"

/** How many rows are shown at once. */
const MAX_ROWS = 500

/** How long the row of a person who was marked stays where it is, in milliseconds. */
const HOLD_MS = 10_000

const GROUPS = ["missing", "safe", "left"] as const

type Person = NonNullable<Muster["people"]>[number]

/** How many people are at the muster point. */
export const CountForm = ({ act, waiting }: Pick<MusterWorkProps, "act" | "waiting">) => {
  const { words } = useOpened()
  const submit = (event: TargetedSubmitEvent<HTMLFormElement>) => {
    event.preventDefault()
    act({ kind: "count", count: Number(new FormData(event.currentTarget).get("safe")) })
    event.currentTarget.reset()
  }
  return (
    <form onSubmit={submit} class="bar">
      <label>
        {words.countSafe} <input name="safe" type="number" min="0" step="1" inputMode="numeric" required />
      </label>
      <button type="submit" class="primary">
        {words.save}
      </button>
      {waiting.has("count") && <i class="waiting">{words.waiting}</i>}
    </form>
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

interface MusterPeopleProps extends MusterWorkProps {
  readonly people: ReadonlyArray<Person>
}

export const MusterPeople = ({ muster, people, places, waiting, act }: MusterPeopleProps) => {
  const { words, formats, api } = useOpened()
  const [search, setSearch] = useState("")
  const { held, hold } = useHeld()
  const list = useRef<HTMLElement>(null)
  const field = useRef<HTMLInputElement>(null)
  /** The row whose button has the focus, and its position: a button that goes leaves the focus to the next person who is missing. */
  const focused = useRef<{ readonly element: Element; readonly nth: number } | undefined>(undefined)
  useEffect(() => {
    const focus = (event: KeyboardEvent) => {
      const isTyping =
        event.target instanceof Element && event.target.closest("input, select, textarea, dialog") !== null
      if (event.key !== "/" || isTyping || event.ctrlKey || event.metaKey || event.altKey) return
      event.preventDefault()
      field.current?.focus()
    }
    const forget = () => (focused.current = undefined)
    addEventListener("keydown", focus)
    addEventListener("pointerdown", forget)
    return () => {
      removeEventListener("keydown", focus)
      removeEventListener("pointerdown", forget)
    }
  }, [])
  useLayoutEffect(() => {
    if (focused.current === undefined || focused.current.element.isConnected) return
    const { nth } = focused.current
    focused.current = undefined
    if (document.activeElement !== document.body) return
    const rows = [...list.current!.querySelectorAll("li")]
    const next = [...rows.slice(nth), ...rows].find((row) => row.classList.contains("missing"))
    ;(next?.querySelector("button") ?? field.current)?.focus({ preventScroll: true })
  })
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
    return (
      <li key={id} class={state}>
        <span>
          <b>{name === "" ? id : name}</b>
          <small>
            {[...(name === "" ? [] : [id]), placeNames(words, places, placeIds), since && formats.dayAndTime(since)]
              .filter(Boolean)
              .join(" · ")}
          </small>
        </span>
        {waiting.has(`person ${id}`) && <i class="waiting">{words.waiting}</i>}
        {state === "missing" ? (
          <button type="button" aria-label={`${words.markSafe}: ${id}`} onClick={() => mark(id, "safe")}>
            {words.markSafe}
          </button>
        ) : (
          <>
            {held.has(id) && <b class={`badge ${state}`}>{words.personState[state]}</b>}
            {state === "safe" && (
              <button type="button" aria-label={`${words.undo}: ${id}`} onClick={() => mark(id, "missing")}>
                {words.undo}
              </button>
            )}
          </>
        )}
      </li>
    )
  }
  return (
    <section
      ref={list}
      aria-labelledby="muster-people"
      onFocusIn={({ target }) => {
        const nth = [...list.current!.querySelectorAll("li")].findIndex((row) => row.contains(target as Element))
        focused.current = nth < 0 ? undefined : { element: target as Element, nth }
      }}
      onFocusOut={({ relatedTarget }) => {
        if (relatedTarget !== null) focused.current = undefined
      }}
    >
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
        <button type="button" class="add-safe" onClick={() => act({ kind: "safe", person: wanted })}>
          {words.addSafe(wanted)}
        </button>
      )}
    </section>
  )
}
