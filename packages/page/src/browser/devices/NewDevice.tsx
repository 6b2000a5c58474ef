/** The form of a new device: its name, and where it counts. */
import type { DeviceDraft, Place } from "@sojourn/client"
import { useState } from "preact/hooks"
import { type Lineage, pathNameOf } from "../organizations/lineages.ts"
import { WHOLE } from "../organizations/model.ts"
import { useOpened } from "../shared/context.ts"
import { Check, Choice, Field, Search } from "../shared/fields.tsx"
import { type Fields, Form } from "../shared/Form.tsx"
import { useOneTabStop } from "../shared/useOneTabStop.ts"
import { uncountedAround } from "./premises.ts"

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
  const toggle = (id: number) =>
    onChange(new Set(chosen.has(id) ? [...chosen].filter((one) => one !== id) : [...chosen, id]))
  return (
    <fieldset>
      <legend>
        {label} <span role="status">({words.shown(formats.number(chosen.size), formats.number(MAX_PREMISES))})</span>
      </legend>
      {all.length > MIN_SEARCHED && <Search value={search} onSearch={setSearch} />}
      <div class="choices" {...tabStop}>
        {found.map(({ id, name }) => (
          <Check
            key={id}
            checked={chosen.has(id)}
            disabled={chosen.size >= MAX_PREMISES && !chosen.has(id)}
            onChange={() => toggle(id)}
          >
            <bdi>{name}</bdi>
          </Check>
        ))}
      </div>
    </fieldset>
  )
}

interface NewDeviceProps extends Pick<PremisesChoiceProps, "places" | "lineages"> {
  /** Where other devices count. */
  readonly counted: ReadonlySet<number>
  readonly onCreate: (draft: DeviceDraft) => Promise<void>
}

export const NewDevice = ({ places, lineages, counted, onCreate }: NewDeviceProps) => {
  const { words } = useOpened()
  const [kind, setKind] = useState<keyof typeof words.deviceKinds>("counter")
  const isDisplay = kind === "display"
  /** How many were made: each has a form of its own. */
  const [made, setMade] = useState(0)
  const [own, setChosen] = useState<ReadonlySet<number>>()
  // The organization is proposed until a device counts it: a second count of who passes two doors would be too much.
  const chosen = own ?? new Set(isDisplay || !counted.has(WHOLE) ? [WHOLE] : [])
  const namesOf = (ids: ReadonlyArray<number>) =>
    ids.map((id) => (id === WHOLE ? words.whole : (lineages.get(id)?.[0]?.name ?? String(id)))).join(", ")
  const uncounted = isDisplay ? [] : uncountedAround(chosen, counted, lineages)
  const create = async ({ name }: Fields) => {
    const premises = [...chosen].map((placeId) => (placeId === WHOLE ? { organization: true as const } : { placeId }))
    await onCreate({ name: name!, premises, ...(isDisplay && { kind }) })
    setMade(made + 1)
    setChosen(undefined)
  }
  return (
    <Form
      key={made}
      class="wide"
      label={words.create}
      button={{ class: "primary", disabled: chosen.size === 0 }}
      send={create}
    >
      <Field label={words.name} name="name" required maxLength={100} autocomplete="off" />
      <Choice
        label={words.kind}
        texts={words.deviceKinds}
        value={kind}
        onValue={(kind) => {
          setKind(kind)
          setChosen(undefined)
        }}
      >
        {isDisplay && <small>{words.displayHint}</small>}
      </Choice>
      <PremisesChoice
        places={places}
        lineages={lineages}
        chosen={chosen}
        label={isDisplay ? words.shows : words.countsAt}
        onChange={setChosen}
      />
      <p role="status" class="fault">
        {uncounted.length > 0 &&
          `⚠︎ ${words.uncounted(namesOf(uncounted), namesOf([...chosen].filter((id) => id !== WHOLE)))}`}
      </p>
    </Form>
  )
}
