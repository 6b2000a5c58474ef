/** Edits one area: its drawing and its name, saving, and where in the drawing the server found a fault. */
import { type AreaFault, type Place, Refused, type SojournClient } from "@sojourn/client"
import type { TargetedSubmitEvent } from "preact"
import { useLayoutEffect, useMemo, useRef, useState } from "preact/hooks"
import { type Polygons, readArea } from "../shared/area.ts"
import { LastChange } from "../audit/LastChange.tsx"
import { allows, type TabProps } from "../organizations/model.ts"
import { useAction } from "../shared/useAction.tsx"
import { isTemporary } from "../shared/useLoaded.ts"
import { useOpened } from "../shared/context.ts"
import type { AllWords } from "../words/languages.ts"
import {
  type CornerAt,
  type Drawn,
  GEO_JSON,
  polygonsOf,
  record,
  shapeOf,
  withoutEmptyRings,
  writeArea
} from "./drawing.ts"
import { Drawing } from "./Drawing.tsx"
import { drawFault, type DrawnFault, faultSentence } from "./faults.ts"
import { GeoJsonImport } from "./GeoJsonImport.tsx"
import type { Floors } from "./useFloors.ts"
import { useUnsaved } from "../shared/useUnsaved.ts"
import { misplacedIn, relationsOf, relationsOfWhole, surroundingsOf } from "./surroundings.ts"
import { PlaceFields } from "./PlaceFields.tsx"
import { type PlacePosition, usePlacePosition } from "./usePlacePosition.ts"

/** What is edited: the organization's area, a place, or a place that is not there yet. */
export type Edited = "organization" | "new" | Place

/** How many sentences say what is wrong with a drawing. */
const MAX_SENTENCES = 3

/** The id of the form. */
const FORM = "edited-area"

interface SentArea {
  readonly organizationId: number
  readonly edited: Edited
  readonly trackingArea: string
  readonly isRedrawn: boolean
  readonly name: string
  /** The level and the parent, as far as they change. */
  readonly position: PlacePosition["changes"]
}

const send = async (api: SojournClient, words: AllWords, area: SentArea): Promise<string> => {
  const { organizationId, edited, trackingArea, isRedrawn, name, position } = area
  if (edited === "organization") {
    await api.organization.editTrackingArea({ organizationId, body: { trackingArea } })
    return words.saved
  }
  const saved =
    edited === "new"
      ? await api.place.create({ body: { organizationId, trackingArea, ...position, ...(name !== "" && { name }) } })
      : await api.place.edit({
          body: {
            id: edited.id,
            ...position,
            ...(isRedrawn && { trackingArea }),
            ...(name !== edited.name && { name: name === "" ? null : name })
          }
        })
  return words.savedPlace(saved.name)
}

interface EditAreaProps extends Omit<TabProps, "live"> {
  readonly edited: Edited
  /** What the map shows: a new place is drawn on its level. */
  readonly floors: Pick<Floors, "level" | "image">
  readonly onDone: (outcome: string) => void
}

export const EditArea = (props: EditAreaProps) => {
  const { administratorId, permission, data, places, reload, reloadPermissions, edited, floors, onDone } = props
  const { words, formats, api } = useOpened()
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
  /** How many areas were taken from elsewhere: each begins a view of its own. */
  const [imported, setImported] = useState(0)
  const [name, setName] = useState(place?.name ?? "")
  const [fault, setFault] = useState<DrawnFault & { readonly sentence: string }>()
  /** Whether what was drawn could not be sent, and may be sent again as it is. */
  const [isKept, setKept] = useState(false)
  const heading = useRef<HTMLHeadingElement>(null)
  useLayoutEffect(() => heading.current?.focus(), [])
  const isRedrawn = drawn.past.length > 0
  const isEmpty = drawn.shape.flat(2).length === 0
  const position = usePlacePosition(places, place, drawn.shape, floors.level)
  const mayLeave = useUnsaved(isRedrawn || name !== (place?.name ?? "") || position.isTouched)

  const isOrganization = edited === "organization"
  const { effective, parentId } = position
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
  const relations = useMemo(
    () =>
      isOrganization
        ? relationsOfWhole(places)
        : relationsOf(data, places, { id: place?.id, parentId, level: effective }),
    [data, places, effective, parentId]
  )
  /** All that the page itself finds wrong; the server judges what is sent. */
  const misplaced = useMemo(() => misplacedIn(polygonsOf(drawn.shape), relations), [drawn.shape, relations])
  const { overlapped, outside, leftOut } = misplaced
  const wrong = [...overlapped, ...outside, ...leftOut]
  const sentences = [
    ...(overlapped.length > 0 ? [words.placesOverlap(overlapped.map(({ name }) => name).join("; "))] : []),
    ...outside.map(({ name }) => (parentId === null ? words.placeOutside : words.outsideParent(name))),
    ...leftOut.map(({ name }) => (isOrganization ? words.otherOutside : words.partOutside)(name))
  ]
  const title =
    edited === "organization" ? words.whole : place === undefined ? words.newPlace : `${words.edit}: ${place.name}`

  const placeOf = (refused: AreaFault) => places.find(({ id }) => id === refused.placeId)
  const describeFault = (refused: AreaFault, sent: string) => {
    const other = placeOf(refused)
    const otherName = other?.name ?? `${words.place} ${refused.placeId}`
    const isPart = other?.parentId !== undefined && other.parentId === place?.id
    const sentence = faultSentence({ words, formats }, refused, { name: otherName, isPart })
    if (sentence === undefined) return undefined
    const drawn = drawFault(refused, {
      sent: readArea(sent),
      organization: readArea(data.trackingArea),
      place: other === undefined ? undefined : readArea(other.trackingArea)
    })
    return { ...drawn, sentence }
  }
  /** An area of a file is shown as a whole, and can be undone. */
  const takeOver = (polygons: Polygons) => {
    setFault(undefined)
    setActive(undefined)
    setDrawn((drawn) => record(drawn, shapeOf(polygons)))
    setImported((count) => count + 1)
  }
  const save = async () => {
    const { download } = await import("../shared/csv.ts")
    const text = writeArea(withoutEmptyRings(drawn.shape), GEO_JSON)
    download(`${name === "" ? "area" : name}.geojson`, text, "application/geo+json")
  }
  const cancel = async () => {
    if (await mayLeave()) onDone("")
  }
  const submit = (event: TargetedSubmitEvent<HTMLFormElement>) => {
    event.preventDefault()
    setFault(undefined)
    setKept(false)
    run(async () => {
      const trackingArea = writeArea(withoutEmptyRings(drawn.shape), before ?? data.trackingArea)
      try {
        const { changes } = position
        const area = { organizationId: data.id, edited, trackingArea, isRedrawn, name, position: changes }
        onDone(await send(api, words, area))
        reload()
      } catch (failure) {
        const refused = failure instanceof Refused ? failure.areaFault : undefined
        const hasNoSession = failure instanceof Refused && failure.status === 401
        setKept(isTemporary(failure) || hasNoSession)
        if (refused === undefined) throw failure
        const shown = describeFault(refused, trackingArea)
        if (shown === undefined) throw failure
        setFault(shown)
        setActive(shown.corner)
        // The place may be one that others have just drawn.
        if (refused.placeId !== undefined && placeOf(refused) === undefined) reload()
      }
    })
  }

  return (
    <section aria-labelledby="edited">
      <h2 id="edited" ref={heading} tabindex={-1}>
        {title}
      </h2>
      {/* What is typed in the drawing is not sent by Enter. */}
      <form id={FORM} hidden onSubmit={submit} />
      <div class="editor">
        {!isOrganization && <PlaceFields form={FORM} name={name} onName={setName} position={position} />}
        <div class="bar save">
          <button type="submit" form={FORM} class="primary" disabled={isWaiting || isEmpty}>
            {words.save}
          </button>
          <button type="button" onClick={() => void cancel()}>
            {words.cancel}
          </button>
        </div>
        <div class="drawing-box">
          <Drawing
            key={imported}
            name={isOrganization ? words.whole : (place?.name ?? words.newPlace)}
            isOrganization={isOrganization}
            drawn={drawn}
            onChange={(change) => {
              setFault(undefined)
              setDrawn(change)
            }}
            active={active}
            onActivate={setActive}
            around={around}
            plan={isOrganization || floors.image?.plan.level === effective ? floors.image : undefined}
            faults={fault?.lines ?? []}
            marks={wrong.flatMap(({ lines }) => lines)}
            notice={
              <div class="notice">
                <p role="alert" class="fault">
                  {fault?.sentence}
                </p>
                <p role="status" class="fault">
                  {(fault === undefined || wrong.length > 1) && sentences.slice(0, MAX_SENTENCES).join(" ")}
                </p>
                <p role="status">
                  {outcome}
                  {isKept && (
                    <>
                      {` ${words.drawingKept} `}
                      <button type="submit" form={FORM}>
                        {words.tryAgain}
                      </button>
                    </>
                  )}
                </p>
                {before !== undefined && current?.trackingArea !== before && (
                  <p role="status">{words.changedMeanwhile}</p>
                )}
              </div>
            }
          />
        </div>
      </div>
      {place !== undefined && allows(permission, "owner") && (
        <LastChange administratorId={administratorId} data={data} place={place} />
      )}
      <GeoJsonImport onArea={takeOver} />
      <button type="button" disabled={isEmpty} onClick={() => void save()}>
        {words.downloadGeoJson}
      </button>
    </section>
  )
}
