/** The form of a new device: its name, and where it counts. */
import type { DeviceDraft, Place } from "@sojourn/client"
import type { TargetedSubmitEvent } from "preact"
import { useState } from "preact/hooks"
import { type Lineage, pathNameOf } from "../organizations/lineages.ts"
import { useOpened } from "../shared/context.ts"
import { useOneTabStop } from "../shared/useOneTabStop.ts"
import { uncountedAround, WHOLE } from "./premises.ts"

// The page knows the interface alone, and repeats the bounds of its specification (devices#make).
/** The most premises of a device. */
const MAX_PREMISES = 20

/** From how many premises on there is a search. */
const MIN_SEARCHED = 8

interface PremisesChoiceProps {
  readonly places: ReadonlyArray<Place>
  readonly lineages: ReadonlyMap<number, Lineage>
  readonly chosen: ReadonlySet<number>
  readonly label: string
  readonly onChange: (chosen: ReadonlySet<number>) => void
}

/** The organization and its places to be chosen from, as one tab stop. */
const PremisesChoice = ({ places, lineages, chosen, label, onChange }: PremisesChoiceProps) => {
  const { words, formats } = useOpened()
  const [search, setSearch] = useState("")
  const tabStop = useOneTabStop<HTMLDivElement>("input")
  const all = [
    { id: WHOLE, name: words.whole },
    ...places.map(({ id }) => ({ id, name: pathNameOf(lineages.get(id)!) }))
  ]
  const found = all.filter(({ id, name }) => chosen.has(id) || name.toLowerCase().includes(search.toLowerCase()))
  const toggle = (id: number) => {
    const next = new Set(chosen)
    if (!next.delete(id)) next.add(id)
    onChange(next)
  }
  return (
    <fieldset>
      <legend>
        {label} <span role="status">({words.shown(formats.number(chosen.size), formats.number(MAX_PREMISES))})</span>
      </legend>
      {all.length > MIN_SEARCHED && (
        <input
          type="search"
          aria-label={words.search}
          placeholder={words.search}
          value={search}
          onInput={({ currentTarget }) => setSearch(currentTarget.value)}
        />
      )}
      <div class="choices" {...tabStop}>
        {found.map(({ id, name }) => (
          <label key={id} class="check">
            <input
              type="checkbox"
              checked={chosen.has(id)}
              disabled={chosen.size >= MAX_PREMISES && !chosen.has(id)}
              onChange={() => toggle(id)}
            />
            <bdi>{name}</bdi>
          </label>
        ))}
      </div>
    </fieldset>
  )
}

interface NewDeviceProps extends Pick<PremisesChoiceProps, "places" | "lineages"> {
  /** Where other devices count. */
  readonly counted: ReadonlySet<number>
  readonly isWaiting: boolean
  /** `onCreated` is called once the device is there. */
  readonly onCreate: (draft: DeviceDraft, onCreated: () => void) => void
}

export const NewDevice = ({ places, lineages, counted, isWaiting, onCreate }: NewDeviceProps) => {
  const { words } = useOpened()
  const [name, setName] = useState("")
  const [kind, setKind] = useState<keyof typeof words.deviceKinds>("counter")
  const isDisplay = kind === "display"
  const [own, setChosen] = useState<ReadonlySet<number>>()
  // The organization is proposed until a device counts it: a second count of who passes two doors would be too much.
  const chosen = own ?? new Set(isDisplay || !counted.has(WHOLE) ? [WHOLE] : [])
  const nameOf = (id: number) => (id === WHOLE ? words.whole : (lineages.get(id)?.[0]?.name ?? String(id)))
  const uncounted = isDisplay ? [] : uncountedAround(chosen, counted, lineages)
  const submit = (event: TargetedSubmitEvent<HTMLFormElement>) => {
    event.preventDefault()
    const premises = [...chosen].map((placeId) => (placeId === WHOLE ? { organization: true as const } : { placeId }))
    onCreate({ name, premises, ...(isDisplay && { kind }) }, () => {
      setName("")
      setChosen(undefined)
    })
  }
  return (
    <form class="wide" onSubmit={submit}>
      <label>
        {words.name}
        <input
          value={name}
          required
          maxLength={100}
          autocomplete="off"
          onInput={({ currentTarget }) => setName(currentTarget.value)}
        />
      </label>
      <label>
        {words.kind}
        <select
          value={kind}
          onChange={({ currentTarget: { value } }) => {
            setKind(value as typeof kind)
            setChosen(undefined)
          }}
        >
          {Object.entries(words.deviceKinds).map(([kind, label]) => (
            <option key={kind} value={kind}>
              {label}
            </option>
          ))}
        </select>
        {isDisplay && <small>{words.displayHint}</small>}
      </label>
      <PremisesChoice
        places={places}
        lineages={lineages}
        chosen={chosen}
        label={isDisplay ? words.shows : words.countsAt}
        onChange={setChosen}
      />
      <p role="status" class="fault">
        {uncounted.length > 0 &&
          `⚠︎ ${words.uncounted(
            uncounted.map(nameOf).join(", "),
            [...chosen]
              .filter((id) => id !== WHOLE)
              .map(nameOf)
              .join(", ")
          )}`}
      </p>
      <div class="bar">
        <button type="submit" class="primary" disabled={isWaiting || chosen.size === 0}>
          {words.create}
        </button>
      </div>
    </form>
  )
}
