/** The import of places from a GeoJSON file: a trial says which are refused, and these may be redrawn before the others are created. */
import type { ImportedPlaces } from "@sojourn/client"
import { useEffect, useMemo, useState } from "preact/hooks"
import { readArea } from "../shared/area.ts"
import type { TabProps } from "../organizations/model.ts"
import { ActionButton } from "../shared/ActionButton.tsx"
import { useOpened } from "../shared/context.ts"
import { DataTable } from "../shared/DataTable.tsx"
import { Fault } from "../shared/NotLoaded.tsx"
import { useAction } from "../shared/useAction.tsx"
import { IMPORT_TIMEOUT_MS } from "../shared/session.ts"
import { useUnsaved } from "../shared/useUnsaved.ts"
import { Drawing } from "./Drawing.tsx"
import { type Drawn, shapeOf, startOf } from "./drawing.ts"
import { describeFault } from "./faults.ts"
import { FileField, GEO_JSON_TYPES, takeFocus } from "./fields.tsx"
import { areaOf, leftOf, type PlaceFile, readPlaceFile, redrawn } from "./geoJson.ts"
import { surroundingsOf } from "./surroundings.ts"

interface ImportPlacesProps extends Pick<TabProps, "data" | "places" | "reload"> {
  /** A file that was dropped. */
  readonly dropped: File | undefined
  readonly onDone: (outcome: string) => void
}

type Refusal = ImportedPlaces["refused"][number]

export const ImportPlaces = ({ data, places, reload, dropped, onDone }: ImportPlacesProps) => {
  const page = useOpened()
  const { words, formats, api } = page
  const { isWaiting, outcome, run } = useAction()
  const [file, setFile] = useState<PlaceFile>()
  const [trial, setTrial] = useState<ImportedPlaces>()
  /** The feature that is shown, and its area as it is redrawn. */
  const [shown, setShown] = useState<{ readonly nth: number; readonly drawn: Drawn }>()
  const isRedrawn = shown !== undefined && shown.drawn.past.length > 0
  /** Whether another feature was redrawn before. */
  const [isTouched, setTouched] = useState(false)
  const isUnsaved = isTouched || isRedrawn
  const mayLeave = useUnsaved(isUnsaved)
  const organization = useMemo(() => readArea(data.trackingArea), [data])

  const features = file?.features ?? []
  const nameOf = (nth: number) => String(features[nth]?.properties?.name ?? words.feature(formats.number(nth + 1)))
  const send = async (file: PlaceFile, isTrial: boolean) => {
    const body = new Blob([JSON.stringify(file)], { type: "application/geo+json" })
    const dryRun = isTrial ? ("true" as const) : undefined
    return api.import.places({ organizationId: data.id, dryRun, body }, { timeout: IMPORT_TIMEOUT_MS })
  }
  const show = (file: PlaceFile, nth: number) => {
    const area = areaOf(file.features[nth])
    setShown(area && { nth, drawn: startOf(shapeOf(area)) })
  }
  /** The file as it is drawn. */
  const drawnFile = () => (isRedrawn ? redrawn(file!, shown.nth, shown.drawn.shape) : file!)
  const check = async (file: PlaceFile, isTouched: boolean) => {
    setFile(file)
    setTouched(isTouched)
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
      return check(read, false)
    })
  }
  const save = () =>
    run(async () => {
      const sent = drawnFile()
      const answer = await send(sent, false)
      reload()
      const sentence = words.imported(formats.number(answer.created.length))
      if (answer.refused.length === 0) return onDone(sentence)
      await check(leftOf(sent, answer), isUnsaved)
      return sentence
    })
  useEffect(() => void take(dropped), [])

  /** What is wrong with a refused feature, where, and the other feature that it is about. */
  const faultOf = ({ feature, areaFault, reason }: Refusal) => {
    if (areaFault === undefined) return { reason, lines: [], around: [] }
    const nth = areaFault.feature
    const other = nth === undefined ? undefined : { name: nameOf(nth), polygons: areaOf(features[nth]) ?? [] }
    const sent = areaOf(features[feature]) ?? []
    const { sentence, lines } = describeFault(page, areaFault, { sent, organization, places, other })
    return { reason: sentence ?? reason, lines, around: other === undefined ? [] : [other] }
  }
  const refusal = trial?.refused.find(({ feature }) => feature === shown?.nth)
  const fault = useMemo(() => refusal && faultOf(refusal), [refusal, file])
  // Of other levels, places are not near.
  const level = shown && features[shown.nth]?.properties?.level
  const around = [
    ...surroundingsOf(data, places, (_, other) => level === undefined || Number(level) === other),
    ...(fault?.around ?? [])
  ]
  return (
    <section>
      <h2 ref={takeFocus} tabindex={-1}>
        {words.importPlaces}
      </h2>
      <p>{words.importHint}</p>
      <div class="editor">
        <FileField label={words.geoJsonFile} accept={GEO_JSON_TYPES} onFile={(file) => void take(file)} />
        <div class="bar">
          <ActionButton
            action={words.save}
            class="primary"
            disabled={isWaiting || trial === undefined || (trial.created.length === 0 && !isRedrawn)}
            onClick={save}
          />
          <ActionButton
            action={words.checkAgain}
            disabled={isWaiting || file === undefined}
            onClick={() => run(() => check(drawnFile(), isUnsaved))}
          />
          <ActionButton action={words.cancel} onClick={async () => (await mayLeave()) && onDone("")} />
          <span role="status">
            {isWaiting ? words.loading : outcome}{" "}
            {trial && words.importTrial(formats.number(trial.created.length), formats.number(trial.refused.length))}
          </span>
        </div>
      </div>
      {shown !== undefined && (
        <Drawing
          key={`${shown.nth} ${features.length}`}
          name={nameOf(shown.nth)}
          drawn={shown.drawn}
          onChange={(change) => setShown((before) => before && { ...before, drawn: change(before.drawn) })}
          around={around}
          faults={isRedrawn ? undefined : fault?.lines}
          notice={<Fault>{!isRedrawn && fault?.reason}</Fault>}
        />
      )}
      {trial !== undefined && (
        <DataTable
          caption={words.importPlaces}
          columns={[
            { title: words.name, cell: ({ feature }) => nameOf(feature) },
            { title: words.state, cell: (row) => ("reason" in row ? faultOf(row).reason : words.willBeCreated) },
            {
              title: words.map,
              cell: ({ feature }) => (
                <ActionButton
                  action={words.show}
                  of={nameOf(feature)}
                  onClick={() => {
                    const drawn = drawnFile()
                    setFile(drawn)
                    setTouched(isUnsaved)
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
            reason: "reason" in row ? faultOf(row).reason : undefined
          })}
        />
      )}
    </section>
  )
}
