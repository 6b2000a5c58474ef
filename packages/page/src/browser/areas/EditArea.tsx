/** Edits one area: its drawing and its name, saving, and where in the drawing the server found a fault. */
import { type Place, Refused } from "@sojourn/client"
import type { TargetedSubmitEvent } from "preact"
import { useMemo, useState } from "preact/hooks"
import { type Polygons, readArea, type Ring } from "../shared/area.ts"
import { LastChange } from "../audit/LastChange.tsx"
import { allows, type TabProps } from "../organizations/model.ts"
import { ActionButton } from "../shared/ActionButton.tsx"
import { Fault } from "../shared/NotLoaded.tsx"
import { Section } from "../shared/Section.tsx"
import { useAction } from "../shared/useAction.tsx"
import { isTemporary } from "../shared/useLoaded.ts"
import { useOpened } from "../shared/context.ts"
import { GEO_JSON, isEmpty, polygonsOf, record, type Shape, shapeOf, startOf, writeArea } from "./drawing.ts"
import { Drawing } from "./Drawing.tsx"
import { describeFault } from "./faults.ts"
import { takeFocus } from "./fields.tsx"
import { GeoJsonImport } from "./GeoJsonImport.tsx"
import { misplacedIn } from "./overlaps.ts"
import { relatedTo, surroundingsOf } from "./surroundings.ts"
import type { Floors } from "./useFloors.ts"
import { usePlaceFields } from "./usePlaceFields.tsx"
import { useUnsaved } from "../shared/useUnsaved.ts"

/** What is edited: the organization's area, a place, or a place that is not there yet. */
export type Edited = "organization" | "new" | Place

/** How many sentences say what is wrong with a drawing. */
const MAX_SENTENCES = 3

/** The id of the form. */
const FORM = "edited-area"

interface EditAreaProps extends Omit<TabProps, "live"> {
  readonly edited: Edited
  /** What the map shows: a new place is drawn on its level. */
  readonly floors: Pick<Floors, "level" | "image">
  readonly onDone: (outcome: string) => void
}

export const EditArea = (props: EditAreaProps) => {
  const { administratorId, permission, data, places, reload, edited, floors, onDone } = props
  const page = useOpened()
  const { words, api } = page
  const { isWaiting, outcome, run } = useAction()
  const isOrganization = edited === "organization"
  const place = typeof edited === "string" ? undefined : edited
  const current = isOrganization ? data : places.find(({ id }) => id === place?.id)
  const [before] = useState(isOrganization ? data.trackingArea : place?.trackingArea)
  const [drawn, setDrawn] = useState(() => startOf(before === undefined ? [] : shapeOf(readArea(before))))
  const { shape } = drawn
  /** How many areas were taken from elsewhere: each begins a view of its own. */
  const [imported, setImported] = useState(0)
  const [refused, setRefused] = useState<{ shape: Shape; sentence: string; lines: ReadonlyArray<Ring> }>()
  /** What the server said of what is drawn now. */
  const fault = refused?.shape === shape ? refused : undefined
  /** Whether what was drawn could not be sent, and may be sent again as it is. */
  const [isKept, setKept] = useState(false)
  const isRedrawn = drawn.past.length > 0
  const placeFields = usePlaceFields({ places, place, shape, shownLevel: floors.level, form: FORM })
  const { name, changes, parentId, effective } = placeFields
  const mayLeave = useUnsaved(isRedrawn || placeFields.isTouched)

  const around = useMemo(
    () =>
      surroundingsOf(
        data,
        places,
        // Of other levels only what the place is a part of is near.
        ({ id }, level) => isOrganization || (id !== place?.id && (id === parentId || level === effective))
      ),
    [data, places, effective, parentId]
  )
  const related = useMemo(
    () => relatedTo(data, places, isOrganization ? undefined : { id: place?.id, parentId, level: effective }),
    [data, places, effective, parentId]
  )
  /** All that the page itself finds wrong; the server judges what is sent. */
  const misplaced = useMemo(() => misplacedIn(polygonsOf(shape), related), [shape, related])
  const overlapped = misplaced.filter(({ relation }) => relation === "apart")
  const sentences = [
    ...(overlapped.length > 0 ? [words.placesOverlap(overlapped.map(({ name }) => name).join("; "))] : []),
    ...misplaced.flatMap(({ name, relation }) => {
      if (relation === "apart") return []
      if (relation === "within") return [parentId === null ? words.placeOutside : words.outsideParent(name)]
      return [(isOrganization ? words.otherOutside : words.partOutside)(name)]
    })
  ]
  const label = isOrganization ? words.whole : (place?.name ?? words.newPlace)

  /** An area of a file is shown as a whole, and can be undone. */
  const takeOver = (polygons: Polygons) => {
    setDrawn((drawn) => ({ ...record(drawn, shapeOf(polygons)), active: undefined }))
    setImported((count) => count + 1)
  }
  const download = async () => {
    const { download } = await import("../shared/csv.ts")
    const text = writeArea(shape, GEO_JSON)
    download(`${name === "" ? "area" : name}.geojson`, text, "application/geo+json")
  }
  const send = async (trackingArea: string) => {
    const organizationId = data.id
    if (isOrganization) {
      await api.organization.editTrackingArea({ organizationId, body: { trackingArea } })
      return words.saved
    }
    const saved =
      place === undefined
        ? await api.place.create({ body: { organizationId, trackingArea, ...changes, ...(name !== "" && { name }) } })
        : await api.place.edit({
            body: {
              id: place.id,
              ...changes,
              ...(isRedrawn && { trackingArea }),
              ...(name !== place.name && { name: name === "" ? null : name })
            }
          })
    return words.savedPlace(saved.name)
  }
  const submit = (event: TargetedSubmitEvent<HTMLFormElement>) => {
    event.preventDefault()
    setRefused(undefined)
    setKept(false)
    run(async () => {
      const trackingArea = writeArea(shape, before ?? data.trackingArea)
      try {
        onDone(await send(trackingArea))
        reload()
      } catch (failure) {
        const refusal = failure instanceof Refused ? failure : undefined
        const areaFault = refusal?.areaFault
        setKept(isTemporary(failure) || refusal?.status === 401)
        if (areaFault === undefined) throw failure
        const [sent, organization] = [readArea(trackingArea), readArea(data.trackingArea)]
        const described = describeFault(page, areaFault, { sent, organization, places, editedId: place?.id })
        const { sentence, lines, corner } = described
        if (sentence === undefined) throw failure
        setRefused({ shape, sentence, lines })
        setDrawn((drawn) => ({ ...drawn, active: corner }))
        // The place may be one that others have just drawn.
        if (areaFault.placeId !== undefined && places.every(({ id }) => id !== areaFault.placeId)) reload()
      }
    })
  }

  return (
    <Section title={place === undefined ? label : `${words.edit}: ${label}`} heading={takeFocus}>
      {/* What is typed in the drawing is not sent by Enter. */}
      <form id={FORM} hidden onSubmit={submit} />
      <div class="editor">
        {!isOrganization && placeFields.fields}
        <div class="bar save">
          <ActionButton
            action={words.save}
            type="submit"
            form={FORM}
            class="primary"
            disabled={isWaiting || isEmpty(shape)}
          />
          <ActionButton action={words.cancel} onClick={async () => (await mayLeave()) && onDone("")} />
        </div>
        <div class="drawing-box">
          <Drawing
            key={imported}
            name={label}
            isOrganization={isOrganization}
            drawn={drawn}
            onChange={setDrawn}
            around={around}
            plan={isOrganization || floors.image?.plan.level === effective ? floors.image : undefined}
            faults={fault?.lines}
            marks={misplaced.flatMap(({ lines }) => lines)}
            notice={
              <>
                <Fault>{fault?.sentence}</Fault>
                <p role="status" class="fault">
                  {(fault === undefined || misplaced.length > 1) && sentences.slice(0, MAX_SENTENCES).join(" ")}
                </p>
                <p role="status">
                  {outcome}
                  {isKept && (
                    <>
                      {` ${words.drawingKept} `}
                      <ActionButton action={words.tryAgain} type="submit" form={FORM} />
                    </>
                  )}
                </p>
                {before !== undefined && current?.trackingArea !== before && (
                  <p role="status">{words.changedMeanwhile}</p>
                )}
              </>
            }
          />
        </div>
      </div>
      {place !== undefined && allows(permission, "owner") && (
        <LastChange administratorId={administratorId} data={data} place={place} />
      )}
      <GeoJsonImport onArea={takeOver} />
      <ActionButton action={words.downloadGeoJson} disabled={isEmpty(shape)} onClick={() => void download()} />
    </Section>
  )
}
