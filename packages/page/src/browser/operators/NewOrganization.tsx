/** The form that creates an organization: its name, its owner, and its area from GeoJSON or drawn. */
import { type OrganizationDraft, Refused } from "@sojourn/client"
import { useMemo, useState } from "preact/hooks"
import { Drawing } from "../areas/Drawing.tsx"
import { addRectangle, isEmpty, GEO_JSON, type Shape, shapeOf, startOf, writeArea } from "../areas/drawing.ts"
import { describeFault } from "../areas/faults.ts"
import { GeoJsonImport } from "../areas/GeoJsonImport.tsx"
import { type Polygons, readArea, type Ring } from "../shared/area.ts"
import { ActionButton } from "../shared/ActionButton.tsx"
import { useOpened } from "../shared/context.ts"
import { Choice, Field } from "../shared/fields.tsx"
import { type Fields, Form, IdField, filledOf } from "../shared/Form.tsx"
import { Fault } from "../shared/NotLoaded.tsx"
import { Section } from "../shared/Section.tsx"
import { Unprovable } from "../accounts/Unbound.tsx"

/** Half the side of the square with which a drawing begins, in degrees of latitude: some hundred metres. */
const HALF_SIDE = 0.001

const squareAround = (latitude: number, longitude: number): Polygons => {
  const wide = HALF_SIDE / Math.max(Math.cos((latitude * Math.PI) / 180), 0.01)
  return addRectangle([], [longitude - wide, latitude - HALF_SIDE], [longitude + wide, latitude + HALF_SIDE])
}

/** The farthest from 0 that a drawing begins. */
const FARTHEST = { latitude: 89, longitude: 179 }

/** Where a drawing begins, when there is no GeoJSON. */
const DrawingStart = ({ onArea }: { readonly onArea: (polygons: Polygons) => void }) => {
  const { words } = useOpened()
  const [at, setAt] = useState({ latitude: NaN, longitude: NaN })
  const names = ["latitude", "longitude"] as const
  return (
    <fieldset>
      <legend>{words.drawArea}</legend>
      <div class="bar">
        {names.map((name) => (
          <Field
            key={name}
            label={words[name]}
            type="number"
            step="any"
            min={-FARTHEST[name]}
            max={FARTHEST[name]}
            onInput={({ currentTarget }) => setAt({ ...at, [name]: currentTarget.valueAsNumber })}
          />
        ))}
        <ActionButton
          action={words.beginDrawing}
          disabled={!names.every((name) => Math.abs(at[name]) <= FARTHEST[name])}
          onClick={() => onArea(squareAround(at.latitude, at.longitude))}
        />
      </div>
    </fieldset>
  )
}

const NO_AREA = startOf([])

export const NewOrganization = () => {
  const page = useOpened()
  const { words, api } = page
  /** What the drawing began with. */
  const [start, setStart] = useState<Polygons>()
  const [drawn, setDrawn] = useState(NO_AREA)
  const [mode, setMode] = useState<keyof typeof words.modes>("anonymous")
  const { shape } = drawn
  const [refused, setRefused] = useState<{ shape: Shape; sentence: string; lines: ReadonlyArray<Ring> }>()
  const fault = refused?.shape === shape ? refused : undefined
  const around = useMemo(() => [{ name: "", polygons: start ?? [] }], [start])

  const begin = (polygons: Polygons | undefined) => {
    setStart(polygons)
    setDrawn(polygons === undefined ? NO_AREA : startOf(shapeOf(polygons)))
  }
  const create = async (fields: Fields, form: HTMLFormElement) => {
    const { administratorId = null, mail, ...rest } = filledOf(fields)
    setRefused(undefined)
    const trackingArea = writeArea(shape, GEO_JSON)
    try {
      const body = { ...rest, trackingArea, trackingMode: mode, owner: { administratorId, mail: mail! } }
      const created = await api.operator.createOrganization({ body: body as OrganizationDraft })
      form.reset()
      begin(undefined)
      setMode("anonymous")
      return words.createdOrganization(created.name, String(created.id))
    } catch (failure) {
      const areaFault = failure instanceof Refused ? failure.areaFault : undefined
      if (areaFault === undefined) throw failure
      const sent = readArea(trackingArea)
      const { sentence, lines } = describeFault(page, areaFault, { sent, organization: sent })
      if (sentence === undefined) throw failure
      return setRefused({ shape, sentence, lines })
    }
  }
  return (
    <Section title={words.newOrganization}>
      <Form class="wide" label={words.create} button={{ class: "primary", disabled: isEmpty(shape) }} send={create}>
        <Field label={words.name} name="name" required maxLength={128} />
        <IdField label={words.optional(words.ownerId)} name="administratorId">
          <small>{words.ownerHint}</small>
        </IdField>
        <Unprovable />
        <Field label={words.mail} name="mail" type="email" required autocomplete="off" />
        <Choice label={words.trackingMode} texts={words.modes} value={mode} onValue={setMode} />
        {mode === "authenticated" && (
          <Field label={words.fields.authenticationServerURL} name="authenticationServerURL" required />
        )}
        <GeoJsonImport onArea={begin} />
        {start === undefined && <DrawingStart onArea={begin} />}
        <Fault>{fault?.sentence}</Fault>
      </Form>
      {start !== undefined && (
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
    </Section>
  )
}
