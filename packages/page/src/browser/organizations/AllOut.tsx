/** The panel that ends all stays of the selected premises at once, for managers. */
import { useState } from "preact/hooks"
import { useOpened } from "../shared/context.ts"
import { useAction } from "../shared/useAction.tsx"
import type { PanelProps } from "./model.ts"

const AllOut = ({ organizationId, premises, reloadPermissions }: PanelProps) => {
  const { words, formats, api, ask } = useOpened()
  const { isWaiting, outcome, run } = useAction(reloadPermissions)
  const [places, setPlaces] = useState(true)
  const { placeId, name, count } = premises
  const clear = async () => {
    const text = words.allOutSure(name, formats.number(count.inside))
    if (!(await ask({ text, action: words.allOut, isDestructive: true }))) return
    run(async () => {
      const { ended, counted } =
        placeId === undefined
          ? await api.ending.clearOrganization({ organizationId, body: { places } })
          : await api.ending.clearPlace({ placeId })
      return words.allOutDone(formats.number(ended), formats.number(counted))
    })
  }
  return (
    <>
      <p>{words.allOutHint}</p>
      <div class="bar">
        {placeId === undefined && (
          <label class="check">
            <input type="checkbox" checked={places} onChange={({ currentTarget: { checked } }) => setPlaces(checked)} />
            {words.placesToo}
          </label>
        )}
        <button type="button" class="destructive" disabled={isWaiting} onClick={() => void clear()}>
          {words.allOut}
        </button>
        <span role="status">{outcome}</span>
      </div>
    </>
  )
}

export default AllOut
