/** The panels of managers for the selected premises: their capacity, the people that devices counted, and the end of all stays. */
import { useState } from "preact/hooks"
import { useOpened } from "../shared/context.ts"
import { Check } from "../shared/fields.tsx"
import { type Fields, Form, NumberField } from "../shared/Form.tsx"
import { NotLoaded } from "../shared/NotLoaded.tsx"
import { useAction } from "../shared/useAction.tsx"
import { useLoaded } from "../shared/useLoaded.ts"
import type { PanelProps } from "./model.ts"
import { useCounted } from "./CountedShare.tsx"
import { ActionButton } from "../shared/ActionButton.tsx"

export const Capacity = ({ organizationId, premises: { placeId, name }, live }: PanelProps) => {
  const { words, api } = useOpened()
  const read = async () =>
    placeId === undefined
      ? await api.capacity.organizationCapacity({ organizationId })
      : await api.capacity.placeCapacity({ placeId })
  const { value, failure, reload } = useLoaded(read, [organizationId, placeId])
  const action = useAction()
  const set = async (body: { readonly capacity: number | null; readonly warnAt?: number }) => {
    if (placeId === undefined) await api.capacity.setOrganizationCapacity({ organizationId, body })
    else await api.capacity.setPlaceCapacity({ placeId, body })
    live.setCapacity(organizationId, placeId, await read())
    reload()
    return words.saved
  }
  if (value === undefined) return <NotLoaded failure={failure} />
  const { capacity, warnAt = 0.8 } = value
  return (
    // A form of its own for each reading: its fields begin with what is set.
    <Form
      key={`${placeId} ${capacity} ${warnAt}`}
      label={words.save}
      action={action}
      send={({ capacity, warnAt }) => set({ capacity: Number(capacity), warnAt: Number(warnAt) / 100 })}
      more={
        capacity !== undefined && (
          <ActionButton
            action={words.liftCapacity}
            disabled={action.isWaiting}
            onClick={() => action.run(() => set({ capacity: null }))}
          />
        )
      }
    >
      <NumberField
        label={`${words.setCapacity} ${placeId === undefined ? words.whole : name}`}
        name="capacity"
        min="1"
        max="10000000"
        defaultValue={capacity ?? ""}
      />
      <NumberField
        label={words.warnAt}
        name="warnAt"
        min="1"
        max="100"
        step="any"
        defaultValue={Math.round(warnAt * 1e6) / 1e4}
      />
    </Form>
  )
}

// The page knows the interface alone, and repeats the bound of its specification (devices#corrections).
/** The most people counted in premises. */
const MAX_COUNTED = 1_000_000

export const Counted = ({ organizationId, premises }: PanelProps) => {
  const { words, formats, api } = useOpened()
  const { value, failure, reload } = useCounted({ organizationId, premises })
  const { placeId, name } = premises
  const correct = async (fields: Fields) => {
    const body = { counted: Number(fields["counted"]) }
    if (placeId === undefined) await api.counted.correctOrganization({ organizationId, body })
    else await api.counted.correctPlace({ placeId, body })
    reload()
    return words.saved
  }
  if (value === undefined) return <NotLoaded failure={failure} />
  return (
    // The field keeps what is typed while devices go on counting.
    <Form key={placeId} label={words.save} send={correct}>
      <p>
        {words.countedNow(formats.number(value.counted))} {words.countedHint}
      </p>
      <NumberField
        label={`${words.setCounted} ${placeId === undefined ? words.whole : name}`}
        name="counted"
        min="0"
        max={MAX_COUNTED}
        defaultValue={value.counted}
      />
    </Form>
  )
}

/** Ends all stays of the premises at once. */
export const AllOut = ({ organizationId, premises: { placeId, name, count } }: PanelProps) => {
  const { words, formats, api } = useOpened()
  const { isWaiting, outcome, run } = useAction()
  const [places, setPlaces] = useState(true)
  const clear = async () => {
    const { ended, counted } =
      placeId === undefined
        ? await api.ending.clearOrganization({ organizationId, body: { places } })
        : await api.ending.clearPlace({ placeId })
    return words.allOutDone(formats.number(ended), formats.number(counted))
  }
  const text = words.allOutSure(name, formats.number(count.inside))
  return (
    <>
      <p>{words.allOutHint}</p>
      <div class="bar">
        {placeId === undefined && (
          <Check checked={places} onChange={({ currentTarget: { checked } }) => setPlaces(checked)}>
            {words.placesToo}
          </Check>
        )}
        <ActionButton
          action={words.allOut}
          class="destructive"
          disabled={isWaiting}
          onClick={() => run(clear, { text, action: words.allOut, isDestructive: true })}
        />
        <span role="status">{outcome}</span>
      </div>
    </>
  )
}
