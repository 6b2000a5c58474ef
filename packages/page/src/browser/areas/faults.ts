/** What the server says is wrong with an area, where it is in the drawing and in words. */
import type { AreaFault, Place } from "@sojourn/client"
import { type Polygons, readArea, type Ring } from "../shared/area.ts"
import type { OpenedContent } from "../shared/context.ts"
import type { CornerAt } from "./drawing.ts"

type Mark = AreaFault["marks"][number]
type MarkedAreas = Readonly<Record<Mark["area"], Polygons | undefined>>

const lineOf = ({ area, at, to }: Mark, areas: MarkedAreas): Ring => {
  const [part = 0, ring = 0, position] = at
  const positions = areas[area]?.[part]?.[ring] ?? []
  if (position === undefined) return positions
  const ends = [positions[position], to && positions[to[2]!]]
  return ends.filter((end) => end !== undefined)
}

/** The positions, edges and rings that are at fault, each by its positions, and the first such corner of the area that was sent. */
export const drawFault = ({ marks }: AreaFault, areas: MarkedAreas) => {
  const own = marks.find(({ area, at }) => area === "sent" && at.length > 0)
  const [part = 0, ring = 0, position = 0] = own?.at ?? []
  const count = (areas.sent?.[part]?.[ring]?.length ?? 1) - 1
  const corner: CornerAt | undefined = own === undefined || count < 1 ? undefined : [part, ring, position % count]
  return { lines: marks.map((mark) => lineOf(mark, areas)).filter(({ length }) => length > 0), corner }
}

interface FaultyPlace {
  readonly name: string
  /** Whether it is a part of the place that is edited. */
  readonly isPart: boolean
}

type Page = Pick<OpenedContent, "words" | "formats">

/** A fault in words; undefined where the page has none for it. */
export const faultSentence = (
  { words, formats: { number } }: Page,
  { kind, rule, placeId, actual, limit }: AreaFault,
  { name, isPart }: FaultyPlace = { name: "", isPart: false }
): string | undefined => {
  const sentence = (words.areaFaults as Readonly<Record<string, string>>)[kind]
  if (sentence === undefined) return undefined
  const rules: Readonly<Record<string, string>> = {
    PlacesOverlap: words.placesOverlap(name),
    PlaceOutsidePlace: (isPart ? words.partOutside : words.outsideParent)(name),
    PlaceOutsideOrganization: placeId === undefined ? words.placeOutside : words.otherOutside(name)
  }
  const numbers =
    actual === undefined || limit === undefined ? undefined : words.limited(number(Math.ceil(actual)), number(limit))
  return [rules[rule ?? ""], sentence, numbers].filter((part) => part !== undefined).join(" ")
}

interface RefusedArea {
  readonly sent: Polygons
  readonly organization: Polygons
  readonly places?: ReadonlyArray<Place>
  /** The place that is edited. */
  readonly editedId?: number | undefined
  /** The area of a file that it is refused for. */
  readonly other?: { readonly name: string; readonly polygons: Polygons } | undefined
}

/** What is wrong with an area that the server refused, in words and where. */
export const describeFault = (
  page: Page,
  fault: AreaFault,
  { sent, organization, places = [], editedId, other }: RefusedArea
) => {
  const known = places.find(({ id }) => id === fault.placeId)
  const place = other?.polygons ?? (known && readArea(known.trackingArea))
  const name = other?.name ?? known?.name ?? `${page.words.place} ${fault.placeId}`
  const isPart = known?.parentId !== undefined && known.parentId === editedId
  return { sentence: faultSentence(page, fault, { name, isPart }), ...drawFault(fault, { sent, organization, place }) }
}
