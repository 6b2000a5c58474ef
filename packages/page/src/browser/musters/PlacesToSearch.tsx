/** The places of a muster by floor, as large buttons that mark them as searched for all wardens. */
import type { Muster } from "@sojourn/client"
import { Fragment } from "preact"
import { useOpened } from "../shared/context.ts"
import { Details, Section } from "../shared/Section.tsx"
import { type MusterPlace, placesToSearch, type PlaceToSearch } from "./musterPlaces.ts"
import type { MusterAct } from "./musterQueue.ts"

/** Of more places, those without missing people are folded. */
const MANY = 60

/** A muster as it is shown, and what marks in it. */
export interface MusterWork {
  readonly muster: Muster
  readonly places: ReadonlyArray<MusterPlace>
  /** How many were inside of places at the moment of the muster's numbers; none before the stream's first message. */
  readonly inside?: Readonly<Record<number, number>> | undefined
  /** The subjects of acts that wait for the connection. */
  readonly waiting: ReadonlySet<string>
  readonly act: (act: MusterAct) => void
}

/** The names of the places that a person was in, or that it was in none. */
export const PlaceNames = ({ places, ids }: Pick<MusterWork, "places"> & { readonly ids: ReadonlyArray<number> }) => {
  const { words } = useOpened()
  const nameOf = (id: number) => places.find(({ placeId }) => placeId === id)?.name ?? String(id)
  if (ids.length === 0) return <>{words.whole}</>
  return (
    <>
      {ids.map((id, nth) => (
        <Fragment key={id}>
          {nth > 0 && ", "}
          <bdi>{nameOf(id)}</bdi>
        </Fragment>
      ))}
    </>
  )
}

export const PlacesToSearch = ({ muster, places, inside, waiting, act }: MusterWork) => {
  const { words, formats } = useOpened()
  const found = placesToSearch(muster, places, inside)
  const swept = new Map(muster.swept?.map((place) => [place.placeId, place.at]))
  const parents = new Set(places.flatMap(({ around }) => around))
  const isQuiet = ({ missing, placeId }: PlaceToSearch) =>
    found.places.length > MANY && missing === 0 && !swept.has(placeId)
  const quiet = found.places.filter(isQuiet)

  const button = ({ placeId, name, missing }: PlaceToSearch) => {
    const at = swept.get(placeId)
    const number = formats.number(missing)
    return (
      <li key={placeId}>
        <button
          type="button"
          class={missing > 0 ? "" : "empty"}
          aria-pressed={at !== undefined}
          onClick={() => act({ kind: "swept", placeId, swept: at === undefined })}
        >
          <span class="unseen">{words.searched}: </span>
          <bdi>{name}</bdi>
          {parents.has(placeId) && <small>{words.withoutParts}</small>}
          <b>{found.isBound && missing > 0 ? words.upTo(number) : number}</b>
          <span class="unseen"> {words.missing}</span>
          {at !== undefined && (
            <small>
              ✓ {words.searched} {formats.time(at)}
            </small>
          )}
          {waiting.has(`place ${placeId}`) && <i class="waiting">{words.waiting}</i>}
        </button>
      </li>
    )
  }
  const floors = (places: ReadonlyArray<PlaceToSearch>) => {
    const levels = [...Map.groupBy(places, ({ level }) => level)].sort(([one], [other]) => one - other)
    return levels.map(([level, ofLevel]) => (
      <section key={level}>
        {levels.length > 1 && <h3>{words.floor(formats.number(level))}</h3>}
        <ul class="to-search">{ofLevel.map(button)}</ul>
      </section>
    ))
  }
  if (places.length === 0 || (muster.people === undefined && inside === undefined)) return null
  return (
    <Section title={words.placesToSearch}>
      {found.isBound && <p class="quiet">{words.upToHint}</p>}
      {found.elsewhere > 0 && <p>{words.elsewhere(formats.number(found.elsewhere))}</p>}
      {floors(found.places.filter((place) => !isQuiet(place)))}
      {quiet.length > 0 && (
        <Details title={words.quietPlaces(formats.number(quiet.length))}>
          <>{floors(quiet)}</>
        </Details>
      )}
    </Section>
  )
}
