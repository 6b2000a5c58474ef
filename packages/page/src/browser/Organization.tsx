/** One organization: its map, its counts, its history, and the tabs and panels that the administrator's level allows. */
import type { MusterSummaryJson, OrganizationJson, PlaceJson } from "@sojourn/adapter-http/json"
import { useMemo, useState } from "preact/hooks"
import { Announcer } from "./organizations/Announcer.tsx"
import { readArea } from "./shared/area.ts"
import { AreaMap } from "./areas/AreaMap.tsx"
import { CountTable } from "./organizations/CountTable.tsx"
import { HistoryChart } from "./history/HistoryChart.tsx"
import { LevelBadge } from "./live/LevelBadge.tsx"
import { Panel } from "./organizations/Panel.tsx"
import { EMPTY } from "./live/counts.ts"
import type { Live } from "./live/useLive.ts"
import { Lazy } from "./shared/Lazy.tsx"
import { allows, type Managed, pathOf, type Premises } from "./organizations/model.ts"
import { hrefOf } from "./shared/route.ts"
import { sentenceOf } from "./shared/api.ts"
import { useLoaded } from "./shared/useLoaded.ts"
import { usePage } from "./shared/context.ts"
import { TABS } from "./tabs.ts"

const loadInside = () => import("./musters/Inside.tsx")
const loadMuster = () => import("./musters/Muster.tsx")
const loadCapacity = () => import("./organizations/Capacity.tsx")
const loadWebhooks = () => import("./webhooks/Webhooks.tsx")

interface OrganizationProps {
  readonly administratorId: string
  readonly managed: Managed
  /** The id of the tab that the address names. */
  readonly tab: string | undefined
  readonly live: Live
  readonly reloadPermissions: () => void
}

export const Organization = ({ administratorId, managed, tab: tabId, live, reloadPermissions }: OrganizationProps) => {
  const { words, formats, api } = usePage()
  const { id, permission } = managed
  const known = live.counts.organizations.get(id)
  const dataChanges = known?.dataChanges ?? 0
  const loaded = useLoaded(
    () =>
      Promise.all([
        api.get<OrganizationJson>(`/organization/${id}`),
        api.get<ReadonlyArray<PlaceJson>>(`/place/organization/${id}`)
      ]),
    [dataChanges]
  )
  const [data = managed.data, placeData = []] = loaded.value ?? []
  // Read again as of the first snapshot, too: a muster may have begun before it.
  const musters = useLoaded(
    async () => (await api.get<ReadonlyArray<MusterSummaryJson>>(`/muster/organization/${id}`)) ?? [],
    [known?.musterChanges]
  )
  const muster = musters.value?.find(({ endedAt }) => endedAt === undefined)
  const [isSought, setSought] = useState(false)
  const [placeId, setPlaceId] = useState<number>()
  // The areas are read once, and not for each change of a count.
  const areas = useMemo(
    () => new Map([data, ...placeData].map((one) => [one, readArea(one.trackingArea)])),
    [data, loaded.value]
  )

  const premisesOf = (one: OrganizationJson | PlaceJson, placeId: number | undefined, count = EMPTY): Premises => ({
    placeId,
    name: one.name,
    polygons: areas.get(one)!,
    count
  })
  const whole = premisesOf(data, undefined, known?.whole)
  const places = placeData
    .filter((place) => known?.places.has(place.id))
    .map((place) => premisesOf(place, place.id, known?.places.get(place.id)))
  const selected = places.find((place) => place.placeId === placeId) ?? whole
  const { count } = selected
  const more = { organizationId: id, permission, premises: selected, places, live, reloadPermissions }
  const tabs = TABS.filter(({ least, isFor }) => allows(permission, least) && isFor?.(data) !== false)
  const tab = tabs.find(({ id }) => id === tabId)

  return (
    <article>
      <h1>{data.name}</h1>
      <p class="permission">{words.permission[permission]}</p>
      {tabs.length > 0 && (
        <nav class="tabs" aria-label={words.tabs}>
          {[{ id: undefined, label: "overview" } as const, ...tabs].map((one) => (
            <a
              key={one.id}
              href={hrefOf({ organizationId: id, tab: one.id })}
              aria-current={one.id === tab?.id ? "page" : undefined}
            >
              {words[one.label]}
            </a>
          ))}
        </nav>
      )}
      <div role="alert">
        {muster !== undefined && (
          <p class="bar alarm">
            <b>{words.musterOpen(words[muster.kind], formats.moment(muster.startedAt))}</b>
            <button
              type="button"
              onClick={() => {
                location.hash = hrefOf({ organizationId: id })
                setSought(true)
              }}
            >
              {words.toMuster}
            </button>
          </p>
        )}
      </div>
      {loaded.failure !== undefined && (
        <p role="alert" class="fault">
          {sentenceOf(words, loaded.failure)}{" "}
          <button type="button" onClick={loaded.reload}>
            {words.tryAgain}
          </button>
        </p>
      )}
      {known === undefined ? (
        <p>{words.loading}</p>
      ) : tab !== undefined ? (
        <Lazy
          key={tab.id}
          load={tab.load}
          props={{
            administratorId,
            permission,
            data,
            places: placeData,
            live,
            reload: loaded.reload,
            reloadPermissions
          }}
        />
      ) : (
        <>
          <div class="columns">
            <AreaMap premises={[whole, ...places]} selected={selected.placeId} onSelect={setPlaceId} />
            <section class="selected" aria-labelledby="selected">
              <h2 id="selected">{selected.placeId === undefined ? words.whole : selected.name}</h2>
              <p class="large">
                <b class="number">{formats.number(count.inside)}</b>{" "}
                {count.capacity === undefined ? words.inside : `/ ${formats.number(count.capacity)} ${words.inside}`}{" "}
                <LevelBadge level={count.level} />
              </p>
              <HistoryChart key={selected.placeId} path={pathOf("presence", id, selected.placeId)} />
              {data.trackingMode === "authenticated" && <Panel title={words.whoIsInside} load={loadInside} {...more} />}
              {allows(permission, "manager") && <Panel title={words.capacity} load={loadCapacity} {...more} />}
            </section>
            <section>
              <CountTable whole={whole} places={places} selected={selected.placeId} onSelect={setPlaceId} />
            </section>
          </div>
          <Panel
            title={words.muster}
            load={loadMuster}
            isOpened={muster !== undefined}
            isSought={isSought}
            onFound={() => setSought(false)}
            {...more}
          />
          {allows(permission, "owner") && <Panel title={words.webhooks} load={loadWebhooks} {...more} />}
          <Announcer premises={[whole, ...places]} />
        </>
      )}
    </article>
  )
}
