/** The form that creates an organization: its name, its owner, and its area from GeoJSON or drawn. */
import { Refused } from "@sojourn/client"
import type { TargetedSubmitEvent } from "preact"
import { useMemo, useState } from "preact/hooks"
import { Drawing } from "../areas/Drawing.tsx"
import { addRectangle, isEmpty, GEO_JSON, type Shape, shapeOf, startOf, writeArea } from "../areas/drawing.ts"
import { describeFault } from "../areas/faults.ts"
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

const NO_AREA = startOf([])

export const NewOrganization = () => {
  const page = useOpened()
  const { words, api } = page
  const { isWaiting, outcome, run } = useAction()
  const [start, setStart] = useState<Polygons>()
  const [drawn, setDrawn] = useState(NO_AREA)
  const [isAuthenticated, setIsAuthenticated] = useState(false)
  const { shape } = drawn
  const [refused, setRefused] = useState<{ shape: Shape; sentence: string; lines: ReadonlyArray<Ring> }>()
  const fault = refused?.shape === shape ? refused : undefined
  const around = useMemo(() => start && [{ name: "", polygons: start }], [start])

  const begin = (polygons: Polygons) => {
    setStart(polygons)
    setDrawn(startOf(shapeOf(polygons)))
  }
  const submit = (event: TargetedSubmitEvent<HTMLFormElement>) => {
    event.preventDefault()
    const form = event.currentTarget
    const data = new FormData(form)
    const text = (name: string) => String(data.get(name) ?? "")
    setRefused(undefined)
    run(async () => {
      const trackingArea = writeArea(shape, GEO_JSON)
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
        const areaFault = failure instanceof Refused ? failure.areaFault : undefined
        if (areaFault === undefined) throw failure
        const sent = readArea(trackingArea)
        const { sentence, lines } = describeFault(page, areaFault, { sent, organization: sent })
        if (sentence === undefined) throw failure
        setRefused({ shape, sentence, lines })
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
        <SubmitBar label={words.create} outcome={outcome} class="primary" disabled={isWaiting || isEmpty(shape)} />
      </form>
      {around !== undefined && (
        <Drawing
          key={JSON.stringify(start)}
          name={words.whole}
          isOrganization
          drawn={drawn}
          onChange={setDrawn}
          around={around}
          faults={fault?.lines}
        />
      )}
    </section>
  )
}
