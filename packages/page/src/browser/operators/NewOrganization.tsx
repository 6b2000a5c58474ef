/** The form that creates an organization: its name, its owner, and its area from GeoJSON or drawn. */
import { type AreaFault, Refused } from "@sojourn/client"
import type { TargetedSubmitEvent } from "preact"
import { useMemo, useState } from "preact/hooks"
import { Drawing } from "../areas/Drawing.tsx"
import {
  addRectangle,
  type CornerAt,
  type Drawn,
  GEO_JSON,
  shapeOf,
  withoutEmptyRings,
  writeArea
} from "../areas/drawing.ts"
import { drawFault, faultSentence } from "../areas/faults.ts"
import { GeoJsonImport } from "../areas/GeoJsonImport.tsx"
import { type Polygons, readArea, type Ring } from "../shared/area.ts"
import { useOpened } from "../shared/context.ts"
import { SubmitBar, useAction } from "../shared/useAction.tsx"
import { Unprovable } from "../accounts/Unprovable.tsx"

/** Half the side of the square with which a drawing begins, in degrees of latitude: some hundred metres. */
const HALF_SIDE = 0.001

const squareAround = (latitude: number, longitude: number): Polygons => {
  const wide = HALF_SIDE / Math.max(Math.cos((latitude * Math.PI) / 180), 0.01)
  return addRectangle([], [longitude - wide, latitude - HALF_SIDE], [longitude + wide, latitude + HALF_SIDE])
}

/** Where a drawing begins, when there is no GeoJSON. */
const DrawingStart = ({ onArea }: { readonly onArea: (polygons: Polygons) => void }) => {
  const { words } = useOpened()
  const [latitude, setLatitude] = useState(NaN)
  const [longitude, setLongitude] = useState(NaN)
  return (
    <fieldset>
      <legend>{words.drawArea}</legend>
      <div class="bar">
        <label>
          {words.latitude}
          <input
            type="number"
            step="any"
            min="-89"
            max="89"
            onInput={({ currentTarget }) => setLatitude(currentTarget.valueAsNumber)}
          />
        </label>
        <label>
          {words.longitude}
          <input
            type="number"
            step="any"
            min="-179"
            max="179"
            onInput={({ currentTarget }) => setLongitude(currentTarget.valueAsNumber)}
          />
        </label>
        <button
          type="button"
          disabled={!(Math.abs(latitude) <= 89 && Math.abs(longitude) <= 179)}
          onClick={() => onArea(squareAround(latitude, longitude))}
        >
          {words.beginDrawing}
        </button>
      </div>
    </fieldset>
  )
}

interface AreaFieldProps {
  readonly drawn: Drawn
  readonly onChange: (change: (drawn: Drawn) => Drawn) => void
  readonly start: Polygons
  readonly faults: ReadonlyArray<Ring>
}

const AreaField = ({ drawn, onChange, start, faults }: AreaFieldProps) => {
  const { words } = useOpened()
  const [active, setActive] = useState<CornerAt>()
  const around = useMemo(() => [{ name: "", polygons: start }], [start])
  return (
    <Drawing
      name={words.whole}
      isOrganization
      drawn={drawn}
      onChange={onChange}
      active={active}
      onActivate={setActive}
      around={around}
      faults={faults}
    />
  )
}

const NO_AREA: Drawn = { shape: [], past: [], future: [] }

export const NewOrganization = () => {
  const { words, formats, api } = useOpened()
  const { isWaiting, outcome, run } = useAction()
  const [start, setStart] = useState<Polygons>()
  const [drawn, setDrawn] = useState(NO_AREA)
  const [isAuthenticated, setIsAuthenticated] = useState(false)
  const [fault, setFault] = useState<{ readonly sentence: string; readonly lines: ReadonlyArray<Ring> }>()

  const begin = (polygons: Polygons) => {
    setFault(undefined)
    setStart(polygons)
    setDrawn({ ...NO_AREA, shape: shapeOf(polygons) })
  }
  const describe = (refused: AreaFault, sent: string) => {
    const sentence = faultSentence({ words, formats }, refused)
    const areas = { sent: readArea(sent), organization: readArea(sent), place: undefined }
    return sentence === undefined ? undefined : { sentence, lines: drawFault(refused, areas).lines }
  }
  const submit = (event: TargetedSubmitEvent<HTMLFormElement>) => {
    event.preventDefault()
    const form = event.currentTarget
    const data = new FormData(form)
    const text = (name: string) => String(data.get(name) ?? "")
    setFault(undefined)
    run(async () => {
      const trackingArea = writeArea(withoutEmptyRings(drawn.shape), GEO_JSON)
      try {
        const body = {
          name: text("name"),
          trackingArea,
          trackingMode: isAuthenticated ? ("authenticated" as const) : ("anonymous" as const),
          ...(isAuthenticated && { authenticationServerURL: text("authenticationServerURL") }),
          owner: { administratorId: text("administratorId") || null, mail: text("mail") }
        }
        const created = await api.operator.createOrganization({ body })
        form.reset()
        setStart(undefined)
        setDrawn(NO_AREA)
        setIsAuthenticated(false)
        return words.createdOrganization(created.name, String(created.id))
      } catch (failure) {
        const refused = failure instanceof Refused ? failure.areaFault : undefined
        const shown = refused === undefined ? undefined : describe(refused, trackingArea)
        if (shown === undefined) throw failure
        setFault(shown)
        return ""
      }
    })
  }
  return (
    <section aria-labelledby="new-organization">
      <h2 id="new-organization">{words.newOrganization}</h2>
      <form class="wide" onSubmit={submit}>
        <label>
          {words.name}
          <input name="name" required maxLength={128} />
        </label>
        <label>
          {words.optional(words.ownerId)}
          <input name="administratorId" maxLength={256} autocomplete="off" aria-describedby="owner-hint" />
          <small id="owner-hint">{words.ownerHint}</small>
        </label>
        <Unprovable />
        <label>
          {words.mail}
          <input name="mail" type="email" required autocomplete="off" />
        </label>
        <label>
          {words.trackingMode}
          <select
            value={isAuthenticated ? "authenticated" : "anonymous"}
            onChange={({ currentTarget }) => setIsAuthenticated(currentTarget.value === "authenticated")}
          >
            <option value="anonymous">{words.modes.anonymous}</option>
            <option value="authenticated">{words.modes.authenticated}</option>
          </select>
        </label>
        {isAuthenticated && (
          <label>
            {words.fields.authenticationServerURL}
            <input name="authenticationServerURL" required />
          </label>
        )}
        <GeoJsonImport onArea={begin} />
        {start === undefined && <DrawingStart onArea={begin} />}
        <p role="alert" class="fault">
          {fault?.sentence}
        </p>
        <SubmitBar
          label={words.create}
          outcome={outcome}
          class="primary"
          disabled={isWaiting || drawn.shape.flat(2).length === 0}
        />
      </form>
      {start !== undefined && (
        <AreaField
          key={JSON.stringify(start)}
          drawn={drawn}
          onChange={(change) => {
            setFault(undefined)
            setDrawn(change)
          }}
          start={start}
          faults={fault?.lines ?? []}
        />
      )}
    </section>
  )
}
