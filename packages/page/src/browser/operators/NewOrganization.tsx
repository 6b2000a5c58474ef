/** The form that creates an organization: its name, its owner, and its area from GeoJSON or drawn. */
import { type AreaFault, type OrganizationDraft, Refused } from "@sojourn/client"
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
        <button
          type="button"
          disabled={!names.every((name) => Math.abs(at[name]) <= FARTHEST[name])}
          onClick={() => onArea(squareAround(at.latitude, at.longitude))}
        >
          {words.beginDrawing}
        </button>
      </div>
    </fieldset>
  )
}

const NO_AREA: Drawn = { shape: [], past: [], future: [] }

export const NewOrganization = () => {
  const { words, formats, api } = useOpened()
  /** What the drawing began with. */
  const [start, setStart] = useState<Polygons>()
  const [drawn, setDrawn] = useState(NO_AREA)
  const [active, setActive] = useState<CornerAt>()
  const [mode, setMode] = useState<keyof typeof words.modes>("anonymous")
  const [fault, setFault] = useState<{ readonly sentence: string; readonly lines: ReadonlyArray<Ring> }>()
  const around = useMemo(() => [{ name: "", polygons: start ?? [] }], [start])

  const begin = (polygons: Polygons | undefined) => {
    setFault(undefined)
    setActive(undefined)
    setStart(polygons)
    setDrawn(polygons === undefined ? NO_AREA : { ...NO_AREA, shape: shapeOf(polygons) })
  }
  const describe = (refused: AreaFault, sent: string) => {
    const sentence = faultSentence({ words, formats }, refused)
    const areas = { sent: readArea(sent), organization: readArea(sent), place: undefined }
    return sentence === undefined ? undefined : { sentence, lines: drawFault(refused, areas).lines }
  }
  const create = async (fields: Fields, form: HTMLFormElement) => {
    const { administratorId = null, mail, ...rest } = filledOf(fields)
    setFault(undefined)
    const trackingArea = writeArea(withoutEmptyRings(drawn.shape), GEO_JSON)
    try {
      const body = { ...rest, trackingArea, trackingMode: mode, owner: { administratorId, mail: mail! } }
      const created = await api.operator.createOrganization({ body: body as OrganizationDraft })
      form.reset()
      begin(undefined)
      setMode("anonymous")
      return words.createdOrganization(created.name, String(created.id))
    } catch (failure) {
      const refused = failure instanceof Refused ? failure.areaFault : undefined
      const shown = refused === undefined ? undefined : describe(refused, trackingArea)
      if (shown === undefined) throw failure
      return setFault(shown)
    }
  }
  return (
    <Section title={words.newOrganization}>
      <Form
        class="wide"
        label={words.create}
        button={{ class: "primary", disabled: drawn.shape.flat(2).length === 0 }}
        send={create}
      >
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
          onChange={(change) => {
            setFault(undefined)
            setDrawn(change)
          }}
          active={active}
          onActivate={setActive}
          around={around}
          faults={fault?.lines ?? []}
        />
      )}
    </Section>
  )
}
