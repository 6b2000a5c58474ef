/** The panel for the capacity of the selected premises, for managers. */
import type { TargetedSubmitEvent } from "preact"
import type { PanelProps } from "./model.ts"
import { useLoaded } from "../shared/useLoaded.ts"
import { useOpened } from "../shared/context.ts"
import { NotLoaded } from "../shared/NotLoaded.tsx"
import { SubmitBar, useAction } from "../shared/useAction.tsx"

const Capacity = ({ organizationId, premises, live, reloadPermissions }: PanelProps) => {
  const { words, api } = useOpened()
  const { placeId } = premises
  const read = async () =>
    placeId === undefined
      ? await api.capacity.organizationCapacity({ organizationId })
      : await api.capacity.placeCapacity({ placeId })
  const { value, failure, reload } = useLoaded(read, [organizationId, placeId])
  const { isWaiting, outcome, run } = useAction(reloadPermissions)

  const set = (capacity: number | null, warnAt?: number) =>
    run(async () => {
      const body = { capacity, ...(warnAt !== undefined && { warnAt }) }
      if (placeId === undefined) await api.capacity.setOrganizationCapacity({ organizationId, body })
      else await api.capacity.setPlaceCapacity({ placeId, body })
      live.setCapacity(organizationId, placeId, await read())
      reload()
      return words.saved
    })
  const submit = (event: TargetedSubmitEvent<HTMLFormElement>) => {
    event.preventDefault()
    const form = new FormData(event.currentTarget)
    set(Number(form.get("capacity")), Number(form.get("warnAt")) / 100)
  }

  if (value === undefined || ("placeId" in value ? value.placeId : undefined) !== placeId)
    return <NotLoaded failure={failure} />
  const { capacity, warnAt = 0.8 } = value
  return (
    // A form of its own for each reading: its fields begin with what is set.
    <form key={`${placeId} ${capacity} ${warnAt}`} onSubmit={submit}>
      <label>
        {words.setCapacity} {placeId === undefined ? words.whole : premises.name}
        <input name="capacity" type="number" min="1" max="10000000" step="1" required defaultValue={capacity ?? ""} />
      </label>
      <label>
        {words.warnAt}
        <input
          name="warnAt"
          type="number"
          min="1"
          max="100"
          step="any"
          required
          defaultValue={Math.round(warnAt * 1e6) / 1e4}
        />
      </label>
      <SubmitBar label={words.save} outcome={outcome} disabled={isWaiting}>
        {capacity !== undefined && (
          <button type="button" disabled={isWaiting} onClick={() => set(null)}>
            {words.liftCapacity}
          </button>
        )}
      </SubmitBar>
    </form>
  )
}

export default Capacity
