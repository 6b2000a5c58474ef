/** The floor plans of an organization, for managers: uploading, placing, replacing and deleting them. */
import { useLayoutEffect, useRef, useState } from "preact/hooks"
import type { TabProps } from "../organizations/model.ts"
import { ActionButton } from "../shared/ActionButton.tsx"
import { besideEachOther, boundsOf, type Polygons } from "../shared/area.ts"
import { useOpened } from "../shared/context.ts"
import { FileField, NumberField } from "./fields.tsx"
import { PlanMap } from "./PlanMap.tsx"
import type { FloorPlan } from "@sojourn/client"
import { MAX_LEVEL, MIN_LEVEL, type Placement } from "./plans.ts"
import { Form } from "../shared/Form.tsx"
import { Fault } from "../shared/NotLoaded.tsx"
import { Section } from "../shared/Section.tsx"
import { useAction } from "../shared/useAction.tsx"
import { useUnsaved } from "../shared/useUnsaved.ts"
import { useImageUrl, usePlanImage, usePlanList } from "./useFloors.ts"

// The page knows the interface alone, and repeats the bounds of its specification (floorplans#form).
/** The most bytes of an image. */
const MAX_BYTES = 1_048_576

const TYPES = ["image/png", "image/jpeg", "image/webp"]

/** A plan that is edited. */
interface Draft extends Placement {
  readonly level: number
  /** The plan that is stored; none of a new one. */
  readonly plan?: FloorPlan
  /** A chosen image; none where the one that is stored stays. */
  readonly file?: File
  readonly isTouched: boolean
}

interface FloorPlansProps extends Pick<TabProps, "data" | "reload"> {
  /** The areas of the organization and its places. */
  readonly areas: ReadonlyArray<Polygons>
  readonly onDone: () => void
}

/** A box in the middle of an organization's area, as wide and as high as it has room there for an image of this ratio. */
const placedInside = (area: Polygons, ratio: number): Placement => {
  const [west, south, east, north] = boundsOf(besideEachOther([area]).flat(3))
  const [x, y] = [(west + east) / 2, (south + north) / 2]
  const shrink = Math.cos((y * Math.PI) / 180)
  const height = Math.min(north - south, ((east - west) * shrink) / ratio)
  const width = (height * ratio) / shrink
  return { west: x - width / 2, south: y - height / 2, east: x + width / 2, north: y + height / 2, rotation: 0 }
}

export const FloorPlans = ({ data, areas, reload, onDone }: FloorPlansProps) => {
  const organizationId = data.id
  const { words, formats, api } = useOpened()
  const action = useAction()
  const list = usePlanList(organizationId, areas[0])
  const plans = list.value ?? []
  const [draft, setDraft] = useState<Draft>()
  const [fault, setFault] = useState("")
  const heading = useRef<HTMLHeadingElement>(null)
  useLayoutEffect(() => {
    if (draft === undefined) heading.current?.focus()
  }, [draft === undefined])
  const stored = usePlanImage(organizationId, draft?.plan)
  const fileUrl = useImageUrl(draft?.file)
  const [blob, url] = draft?.file === undefined ? [stored?.blob, stored?.url] : [draft.file, fileUrl]
  const mayLeave = useUnsaved(draft?.isTouched === true)

  const edit = (plan: FloorPlan) => {
    setFault("")
    setDraft({ ...plan, plan, isTouched: false })
  }
  const change = (of: Partial<Draft>) => setDraft((draft) => draft && { ...draft, ...of, isTouched: true })
  const choose = async (file: File) => {
    setFault("")
    if (file.size > MAX_BYTES) return setFault(words.planTooLarge(formats.number(file.size / MAX_BYTES)))
    const bitmap = await createImageBitmap(file).catch(() => undefined)
    if (bitmap === undefined || !TYPES.includes(file.type)) return setFault(words.planUnreadable)
    const placement = placedInside(areas[0]!, bitmap.width / bitmap.height)
    bitmap.close()
    let level = 0
    while (plans.some((plan) => plan.level === level)) level++
    setDraft((draft) => ({ level, ...placement, ...draft, file, isTouched: true }))
  }
  const save = async () => {
    if (draft === undefined || blob === undefined) return
    const { level, plan, west, south, east, north, rotation } = draft
    if (west >= east || south >= north) return setFault(words.planBox)
    setFault("")
    await api.floorplan.put({ organizationId, level, west, south, east, north, rotation, body: blob })
    if (plan !== undefined && plan.level !== level) {
      await api.floorplan.remove({ organizationId, level: plan.level })
    }
    setDraft(undefined)
    list.reload()
    reload()
    return words.saved
  }
  const remove = ({ level }: FloorPlan) => {
    const work = async () => {
      await api.floorplan.remove({ organizationId, level })
      list.reload()
      reload()
      return words.deleted(words.floor(formats.number(level)))
    }
    const text = words.deletePlanSure(formats.number(level))
    action.run(work, { text, action: words.delete, isDestructive: true })
  }
  const number = (name: keyof Placement, most: number) => (
    <NumberField label={words[name]} value={draft![name]} most={most} onChange={(value) => change({ [name]: value })} />
  )

  return (
    <Section title={words.floorPlans} heading={heading}>
      <p id="floor-plans-hint">{words.floorPlansHint}</p>
      <FileField
        label={words.planFile}
        accept={TYPES.join()}
        hint="floor-plans-hint"
        onFile={(file) => void choose(file)}
      />
      <Fault>{fault}</Fault>
      {draft === undefined ? (
        <>
          {list.value?.length === 0 && <p>{words.noFloorPlans}</p>}
          <ul class="list">
            {plans.map((plan) => {
              const name = words.floor(formats.number(plan.level))
              return (
                <li key={plan.level} class="bar">
                  <span>{name}</span>
                  <ActionButton action={words.edit} of={name} onClick={() => edit(plan)} />
                  <ActionButton
                    action={words.delete}
                    of={name}
                    class="destructive"
                    disabled={action.isWaiting}
                    onClick={() => remove(plan)}
                  />
                </li>
              )
            })}
          </ul>
          <div class="bar">
            <ActionButton action={words.toAreas} onClick={onDone} />
            <span role="status">{action.outcome}</span>
          </div>
        </>
      ) : (
        <>
          <PlanMap areas={areas} url={url} placement={draft} onPlace={change} />
          <Form
            class="plan-form"
            label={words.save}
            button={{ class: "primary", disabled: url === undefined }}
            more={
              <ActionButton action={words.cancel} onClick={async () => (await mayLeave()) && setDraft(undefined)} />
            }
            action={action}
            send={save}
          >
            <div class="bar">
              <NumberField
                label={words.floorLevel}
                value={draft.level}
                most={MAX_LEVEL}
                least={MIN_LEVEL}
                step={1}
                onChange={(level) => change({ level })}
              />
              {number("west", 360)}
              {number("south", 90)}
              {number("east", 360)}
              {number("north", 90)}
              {number("rotation", 360)}
            </div>
          </Form>
        </>
      )}
    </Section>
  )
}
