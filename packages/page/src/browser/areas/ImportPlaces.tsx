/** The import of places from a GeoJSON file: a trial says which are refused, and these may be redrawn before the others are created. */
import type { ImportedPlaces } from "@sojourn/client"
import { useEffect, useLayoutEffect, useRef, useState } from "preact/hooks"
import { readArea, type Ring } from "../shared/area.ts"
import type { TabProps } from "../organizations/model.ts"
import { ActionButton } from "../shared/ActionButton.tsx"
import { useOpened } from "../shared/context.ts"
import { DataTable } from "../shared/DataTable.tsx"
import { useAction } from "../shared/useAction.tsx"
import { IMPORT_TIMEOUT_MS } from "../shared/session.ts"
import { useUnsaved } from "../shared/useUnsaved.ts"
import { Drawing } from "./Drawing.tsx"
import { type CornerAt, type Drawn, shapeOf } from "./drawing.ts"
import { drawFault, faultSentence } from "./faults.ts"
import { areaOf, leftOf, type PlaceFile, readPlaceFile, redrawn } from "./placeFile.ts"
import { surroundingsOf } from "./surroundings.ts"

interface ImportPlacesProps extends Pick<TabProps, "data" | "places" | "reload" | "reloadPermissions"> {
  /** A file that was dropped. */
  readonly dropped: File | undefined
  readonly onDone: (outcome: string) => void
}

type Refusal = ImportedPlaces["refused"][number]

/** The feature that is shown, and its area as it is redrawn. */
interface Shown {
  readonly nth: number
  readonly drawn: Drawn
}

export const ImportPlaces = ({ data, places, reload, reloadPermissions, dropped, onDone }: ImportPlacesProps) => {
  const { words, formats, api } = useOpened()
  const { isWaiting, outcome, run } = useAction(reloadPermissions)
  const [file, setFile] = useState<PlaceFile>()
  const [trial, setTrial] = useState<ImportedPlaces>()
  const [shown, setShown] = useState<Shown>()
  const [active, setActive] = useState<CornerAt>()
  const heading = useRef<HTMLHeadingElement>(null)
  const isRedrawn = shown !== undefined && shown.drawn.past.length > 0
  const [isTouched, setTouched] = useState(false)
  const mayLeave = useUnsaved(isTouched)

  const features = file?.features ?? []
  const nameOf = (nth: number) => String(features[nth]?.properties?.name ?? words.feature(formats.number(nth + 1)))
  const refusals = new Map(trial?.refused.map((refusal) => [refusal.feature, refusal]))
  const send = async (file: PlaceFile, isTrial: boolean) => {
    const body = new Blob([JSON.stringify(file)], { type: "application/geo+json" })
    const dryRun = isTrial ? ("true" as const) : undefined
    return api.import.places({ organizationId: data.id, dryRun, body }, { timeout: IMPORT_TIMEOUT_MS })
  }
  const show = (file: PlaceFile, nth: number) => {
    const area = areaOf(file.features[nth])
    setActive(undefined)
    setShown(area && { nth, drawn: { shape: shapeOf(area), past: [], future: [] } })
  }
  /** The file as it is drawn. */
  const drawnFile = () => (isRedrawn ? redrawn(file!, shown.nth, shown.drawn.shape) : file!)
  const check = async (file: PlaceFile) => {
    setFile(file)
    // What was answered before is about other features.
    setTrial(undefined)
    setShown(undefined)
    const answer = await send(file, true)
    setTrial(answer)
    show(file, answer.refused[0]?.feature ?? 0)
  }
  const take = async (chosen: File | undefined) => {
    if (chosen === undefined || !(await mayLeave())) return
    run(async () => {
      const read = readPlaceFile(await chosen.text())
      if (read === undefined) return words.geoJsonWrong
      setTouched(false)
      return check(read)
    })
  }
  const save = () =>
    run(async () => {
      const sent = drawnFile()
      const answer = await send(sent, false)
      reload()
      const sentence = words.imported(formats.number(answer.created.length))
      if (answer.refused.length === 0) return onDone(sentence)
      await check(leftOf(sent, answer))
      return sentence
    })
  const cancel = async () => {
    if (await mayLeave()) onDone("")
  }
  useLayoutEffect(() => heading.current?.focus(), [])
  useEffect(() => void take(dropped), [])

  const describe = ({ areaFault, reason }: Refusal) => {
    const { placeId, feature } = areaFault ?? {}
    const other = feature === undefined ? places.find(({ id }) => id === placeId)?.name : nameOf(feature)
    const place = { name: other ?? `${words.place} ${placeId}`, isPart: false }
    return (areaFault && faultSentence({ words, formats }, areaFault, place)) ?? reason
  }
  /** What is at fault in the shown feature, unless it is redrawn, and the other feature that it is about. */
  const drawFaults = (sent: number) => {
    const fault = refusals.get(sent)?.areaFault
    const other = fault?.feature === undefined ? undefined : areaOf(features[fault.feature])
    const place = places.find(({ id }) => id === fault?.placeId)
    const lines: ReadonlyArray<Ring> =
      fault === undefined || isRedrawn
        ? []
        : drawFault(fault, {
            sent: areaOf(features[sent])!,
            organization: readArea(data.trackingArea),
            place: other ?? (place && readArea(place.trackingArea))
          }).lines
    return { lines, around: other === undefined ? [] : [{ name: nameOf(fault!.feature!), polygons: other }] }
  }
  const faults = shown && drawFaults(shown.nth)
  const level = shown && features[shown.nth]?.properties?.level
  return (
    <section>
      <h2 ref={heading} tabindex={-1}>
        {words.importPlaces}
      </h2>
      <p>{words.importHint}</p>
      <label>
        {words.geoJsonFile}
        <input
          type="file"
          accept=".geojson,.json,application/geo+json,application/json"
          // The same file, once it is mended, is read again.
          onClick={({ currentTarget }) => (currentTarget.value = "")}
          onChange={({ currentTarget }) => void take(currentTarget.files?.[0])}
        />
      </label>
      <div class="bar">
        <button
          type="button"
          class="primary"
          disabled={isWaiting || trial === undefined || (trial.created.length === 0 && !isRedrawn)}
          onClick={save}
        >
          {words.save}
        </button>
        <button type="button" disabled={isWaiting || file === undefined} onClick={() => run(() => check(drawnFile()))}>
          {words.checkAgain}
        </button>
        <button type="button" onClick={() => void cancel()}>
          {words.cancel}
        </button>
        <span role="status">
          {isWaiting ? words.loading : outcome}{" "}
          {trial && words.importTrial(formats.number(trial.created.length), formats.number(trial.refused.length))}
        </span>
      </div>
      {shown !== undefined && (
        <Drawing
          key={`${shown.nth} ${features.length}`}
          name={nameOf(shown.nth)}
          isOrganization={false}
          drawn={shown.drawn}
          onChange={(change) => {
            setTouched(true)
            setShown((before) => before && { ...before, drawn: change(before.drawn) })
          }}
          active={active}
          onActivate={setActive}
          around={[
            // Of other levels, places are not near.
            ...surroundingsOf(data, places, (_, other) => level === undefined || Number(level) === other),
            ...faults!.around
          ]}
          faults={faults!.lines}
          notice={
            <p role="alert" class="fault">
              {refusals.has(shown.nth) && !isRedrawn && describe(refusals.get(shown.nth)!)}
            </p>
          }
        />
      )}
      {trial !== undefined && (
        <DataTable
          caption={words.importPlaces}
          columns={[
            { title: words.name, cell: ({ feature }) => nameOf(feature) },
            { title: words.state, cell: (row) => ("reason" in row ? describe(row) : words.willBeCreated) },
            {
              title: words.map,
              cell: ({ feature }) => (
                <ActionButton
                  action={words.show}
                  of={nameOf(feature)}
                  onClick={() => {
                    const drawn = drawnFile()
                    setFile(drawn)
                    show(drawn, feature)
                  }}
                />
              )
            }
          ]}
          rows={[...trial.refused, ...trial.created]}
          keyOf={({ feature }) => String(feature)}
          file="import"
          toCsv={(row) => ({
            feature: row.feature,
            name: nameOf(row.feature),
            reason: "reason" in row ? describe(row) : undefined
          })}
        />
      )}
    </section>
  )
}
