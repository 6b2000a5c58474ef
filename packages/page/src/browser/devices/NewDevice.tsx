/** The form of a new device: its name, and where it counts. */
import type { DeviceDraft, Place } from "@sojourn/client"
import type { TargetedSubmitEvent } from "preact"
import { useState } from "preact/hooks"
import { type Lineage, pathNameOf } from "../organizations/lineages.ts"
import { useOpened } from "../shared/context.ts"
import { useOneTabStop } from "../shared/useOneTabStop.ts"

// The page knows the interface alone, and repeats the bounds of its specification (devices#make).
/** The most premises of a device. */
const MAX_PREMISES = 20

/** From how many premises on there is a search. */
const MIN_SEARCHED = 8

/** Stands for the organization as a whole among the ids of its places. */
const WHOLE = 0

interface PremisesChoiceProps {
  readonly places: ReadonlyArray<Place>
  readonly lineages: ReadonlyMap<number, Lineage>
  readonly chosen: ReadonlySet<number>
  readonly onChange: (chosen: ReadonlySet<number>) => void
}

/** The organization and its places to be chosen from, as one tab stop. */
const PremisesChoice = ({ places, lineages, chosen, onChange }: PremisesChoiceProps) => {
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
        {words.countsAt}{" "}
        <span role="status">({words.shown(formats.number(chosen.size), formats.number(MAX_PREMISES))})</span>
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
  readonly isWaiting: boolean
  /** `onCreated` is called once the device is there. */
  readonly onCreate: (draft: DeviceDraft, onCreated: () => void) => void
}

export const NewDevice = ({ places, lineages, isWaiting, onCreate }: NewDeviceProps) => {
  const { words } = useOpened()
  const [name, setName] = useState("")
  const [chosen, setChosen] = useState<ReadonlySet<number>>(new Set())
  const submit = (event: TargetedSubmitEvent<HTMLFormElement>) => {
    event.preventDefault()
    const premises = [...chosen].map((placeId) => (placeId === WHOLE ? { organization: true as const } : { placeId }))
    onCreate({ name, premises }, () => {
      setName("")
      setChosen(new Set())
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
      <PremisesChoice places={places} lineages={lineages} chosen={chosen} onChange={setChosen} />
      <div class="bar">
        <button type="submit" class="primary" disabled={isWaiting || chosen.size === 0}>
          {words.create}
        </button>
      </div>
    </form>
  )
}
