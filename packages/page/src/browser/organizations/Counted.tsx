/** The panel that corrects how many people devices counted inside of the selected premises, for managers. */
import type { TargetedSubmitEvent } from "preact"
import { useOpened } from "../shared/context.ts"
import { NotLoaded } from "../shared/NotLoaded.tsx"
import { SubmitBar, useAction } from "../shared/useAction.tsx"
import type { PanelProps } from "./model.ts"
import { useCounted } from "./useCounted.ts"

// The page knows the interface alone, and repeats the bound of its specification (devices#corrections).
/** The most people counted in premises. */
const MAX_COUNTED = 1_000_000

const Counted = ({ organizationId, premises, reloadPermissions }: PanelProps) => {
  const { words, formats, api } = useOpened()
  const { value, failure, reload } = useCounted(organizationId, premises)
  const { placeId } = premises
  const { isWaiting, outcome, run } = useAction(reloadPermissions)
  const submit = (event: TargetedSubmitEvent<HTMLFormElement>) => {
    event.preventDefault()
    const counted = Number(new FormData(event.currentTarget).get("counted"))
    run(async () => {
      if (placeId === undefined) await api.counted.correctOrganization({ organizationId, body: { counted } })
      else await api.counted.correctPlace({ placeId, body: { counted } })
      reload()
      return words.saved
    })
  }

  if (value === undefined) return <NotLoaded failure={failure} />
  return (
    // The field keeps what is typed while devices go on counting.
    <form key={placeId} onSubmit={submit}>
      <p>
        {words.countedNow(formats.number(value.counted))} {words.countedHint}
      </p>
      <label>
        {words.setCounted} {placeId === undefined ? words.whole : premises.name}
        <input name="counted" type="number" min="0" max={MAX_COUNTED} step="1" required defaultValue={value.counted} />
      </label>
      <SubmitBar label={words.save} outcome={outcome} disabled={isWaiting} />
    </form>
  )
}

export default Counted
