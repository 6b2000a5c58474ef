/** Edits one area: its drawing and its name, saving, and where in the drawing the server found a fault. */
import type { PlaceJson } from "@sojourn/adapter-http/json"
import type { TargetedSubmitEvent } from "preact"
import { useLayoutEffect, useMemo, useRef, useState } from "preact/hooks"
import { readArea } from "../shared/area.ts"
import { RequestFailed } from "../shared/http.ts"
import type { TabProps } from "../organizations/model.ts"
import { useAction } from "../shared/useAction.ts"
import { usePage } from "../shared/context.ts"
import { type CornerAt, type Drawn, shapeOf, withoutEmptyRings, writeArea } from "./drawing.ts"
import { Drawing } from "./Drawing.tsx"
import { drawFault, type DrawnFault, sayFault } from "./faults.ts"
import { useUnsaved } from "../shared/useUnsaved.ts"

/** What is edited: the organization's area, a place, or a place that is not there yet. */
export type Edited = "organization" | "new" | PlaceJson

interface EditAreaProps extends Pick<TabProps, "data" | "places" | "reload" | "reloadPermissions"> {
  readonly edited: Edited
  readonly onDone: (outcome: string) => void
}

export const EditArea = ({ data, places, reload, reloadPermissions, edited, onDone }: EditAreaProps) => {
  const { words, formats, api } = usePage()
  const { isWaiting, outcome, run } = useAction(reloadPermissions)
  const place = typeof edited === "string" ? undefined : edited
  const current = edited === "organization" ? data : places.find(({ id }) => id === place?.id)
  const [before] = useState(edited === "organization" ? data.trackingArea : place?.trackingArea)
  const [drawn, setDrawn] = useState<Drawn>(() => ({
    shape: before === undefined ? [] : shapeOf(readArea(before)),
    past: [],
    future: []
  }))
  const [active, setActive] = useState<CornerAt>()
  const [name, setName] = useState(place?.name ?? "")
  const [fault, setFault] = useState<DrawnFault & { readonly sentence: string }>()
  const heading = useRef<HTMLHeadingElement>(null)
  useLayoutEffect(() => heading.current?.focus(), [])
  const isRedrawn = drawn.past.length > 0
  const mayLeave = useUnsaved(isRedrawn || name !== (place?.name ?? ""))

  const around = useMemo(
    () => [
      { name: data.name, polygons: readArea(data.trackingArea) },
      ...places
        .filter(({ id }) => id !== place?.id)
        .map(({ name, trackingArea }) => ({ name, polygons: readArea(trackingArea) }))
    ],
    [data, places]
  )
  const title =
    edited === "organization" ? words.whole : place === undefined ? words.newPlace : `${words.edit}: ${place.name}`

  const send = async (trackingArea: string): Promise<string> => {
    if (edited === "organization") {
      await api.sendForm("PATCH", `/organization/${data.id}/trackingArea`, { trackingArea })
      return words.saved
    }
    const draft =
      place === undefined
        ? { organizationId: data.id, trackingArea, ...(name !== "" && { name }) }
        : {
            id: place.id,
            ...(isRedrawn && { trackingArea }),
            ...(name !== place.name && { name: name === "" ? null : name })
          }
    const saved = await api.send<PlaceJson>(place === undefined ? "POST" : "PUT", "/place", draft)
    return words.savedPlace(saved!.name)
  }
  const submit = (event: TargetedSubmitEvent<HTMLFormElement>) => {
    event.preventDefault()
    setFault(undefined)
    run(async () => {
      const trackingArea = writeArea(withoutEmptyRings(drawn.shape), before ?? data.trackingArea)
      try {
        onDone(await send(trackingArea))
        reload()
      } catch (failure) {
        const refused = failure instanceof RequestFailed ? failure.said.areaFault : undefined
        if (refused === undefined) throw failure
        const other = places.find(({ id }) => id === refused.placeId)
        const otherName = other?.name ?? `${words.place} ${refused.placeId}`
        const sentence = sayFault({ words, formats }, refused, edited === "organization", otherName)
        if (sentence === undefined) throw failure
        const shown = drawFault(refused, {
          sent: readArea(trackingArea),
          organization: readArea(data.trackingArea),
          place: other === undefined ? undefined : readArea(other.trackingArea)
        })
        setFault({ ...shown, sentence })
        setActive(shown.corner)
        // The place may be one that others have just drawn.
        if (refused.placeId !== undefined && other === undefined) reload()
      }
    })
  }

  return (
    <section aria-labelledby="edited">
      <h2 id="edited" ref={heading} tabindex={-1}>
        {title}
      </h2>
      <Drawing
        name={edited === "organization" ? words.whole : (place?.name ?? words.newPlace)}
        isOrganization={edited === "organization"}
        drawn={drawn}
        onChange={(change) => {
          setFault(undefined)
          setDrawn(change)
        }}
        active={active}
        onActivate={setActive}
        around={around}
        faults={fault?.lines ?? []}
      />
      <form onSubmit={submit}>
        {edited !== "organization" && (
          <label>
            {words.placeName}
            <input
              value={name}
              maxLength={128}
              aria-describedby="place-name-hint"
              onInput={({ currentTarget }) => setName(currentTarget.value)}
            />
            <small id="place-name-hint">{words.placeNameHint}</small>
          </label>
        )}
        <div class="bar">
          <button type="submit" disabled={isWaiting || drawn.shape.flat(2).length === 0}>
            {words.save}
          </button>
          <button type="button" class="plain" onClick={() => mayLeave() && onDone("")}>
            {words.cancel}
          </button>
          <span role="status">{outcome}</span>
        </div>
        {before !== undefined && current?.trackingArea !== before && <p role="status">{words.changedMeanwhile}</p>}
        {/* Below the buttons, which would move when it goes. */}
        <p role="alert" class="fault">
          {fault?.sentence}
        </p>
      </form>
    </section>
  )
}
