/** The tab of an organization's areas: naming, drawing and deleting places, for managers. */
import type { Place } from "@sojourn/client"
import { useEffect, useMemo, useState } from "preact/hooks"
import { readArea } from "../shared/area.ts"
import { AreaMap } from "./AreaMap.tsx"
import { useFloors } from "./useFloors.ts"
import { EMPTY } from "../live/counts.ts"
import { lineagesOf } from "../organizations/lineages.ts"
import type { TabProps } from "../organizations/model.ts"
import { ActionButton } from "../shared/ActionButton.tsx"
import { Section } from "../shared/Section.tsx"
import { useAction } from "../shared/useAction.tsx"
import { useOpened } from "../shared/context.ts"
import { readRoute, replaceRoute } from "../shared/route.ts"
import { EditArea, type Edited } from "./EditArea.tsx"
import { takeFocus } from "./fields.tsx"
import { FloorPlans } from "./FloorPlans.tsx"
import { ImportPlaces } from "./ImportPlaces.tsx"
import { PlaceTable } from "./PlaceTable.tsx"

const Areas = (props: TabProps) => {
  const { data, places, live, reload } = props
  const { words, formats, api } = useOpened()
  const { isWaiting, outcome, run } = useAction()
  const [edited, setEdited] = useState<Edited | "plans" | File | "import" | undefined>(() =>
    readRoute().panel === "new" ? "new" : undefined
  )
  useEffect(() => {
    if (edited === "new") replaceRoute({ organizationId: data.id, tab: "areas" })
  }, [])
  const [saved, setSaved] = useState("")
  const [search, setSearch] = useState("")
  /** Whether the focus was on what is gone. */
  const [isBack, setBack] = useState(false)
  const known = live.counts.organizations.get(data.id)
  const areas = useMemo(() => {
    const lineages = lineagesOf(places)
    return [
      { placeId: undefined, name: data.name, polygons: readArea(data.trackingArea), lineage: [] },
      ...places.map(({ id, name, trackingArea }) => ({
        placeId: id,
        name,
        polygons: readArea(trackingArea),
        lineage: lineages.get(id)!
      }))
    ]
  }, [data, places])
  const premises = useMemo(
    () =>
      areas.map((area) => ({
        ...area,
        count: (area.placeId === undefined ? known?.whole : known?.places.get(area.placeId)) ?? EMPTY
      })),
    [areas, known]
  )
  const floors = useFloors(data.id, premises, undefined)
  const edit = (chosen: typeof edited) => {
    setSaved("")
    setEdited(chosen)
  }
  const remove = ({ id, name }: Place) => {
    const inside = known?.places.get(id)?.inside ?? 0
    const work = async () => {
      setSaved("")
      await api.place.remove({ placeId: id })
      reload()
      return words.deleted(name)
    }
    const text = words.deletePlaceSure(name, formats.number(inside))
    run(work, { text, action: words.delete, isDestructive: true })
  }

  const done = (outcome: string) => {
    setSaved(outcome)
    setEdited(undefined)
    setBack(true)
  }
  if (edited === "plans") {
    const shown = areas.map(({ polygons }) => polygons)
    return <FloorPlans {...props} areas={shown} onDone={() => done("")} />
  }
  if (edited === "import" || edited instanceof File) {
    return <ImportPlaces {...props} dropped={edited === "import" ? undefined : edited} onDone={done} />
  }
  if (edited !== undefined) {
    return <EditArea {...props} edited={edited} floors={floors} onDone={done} />
  }
  return (
    <Section title={words.areas} heading={isBack ? takeFocus : null}>
      <p>{words.chooseArea}</p>
      <div class="bar">
        <ActionButton action={words.newPlace} class="primary" onClick={() => edit("new")} />
        <ActionButton action={words.floorPlans} onClick={() => edit("plans")} />
        <ActionButton action={words.importPlaces} onClick={() => edit("import")} />
        <span role="status">{outcome || saved}</span>
      </div>
      <div
        onDragOver={(event) => event.preventDefault()}
        onDrop={(event) => {
          event.preventDefault()
          const file = event.dataTransfer?.files[0]
          if (file !== undefined) edit(file)
        }}
      >
        <AreaMap
          floors={floors}
          selected={-1}
          onSelect={(placeId) => edit(places.find(({ id }) => id === placeId) ?? "organization")}
        />
      </div>
      <PlaceTable
        places={places}
        search={search}
        onSearch={setSearch}
        isWaiting={isWaiting}
        onEdit={edit}
        onRemove={remove}
      />
    </Section>
  )
}

export default Areas
