/** What the server says is wrong with an area, where it is in the drawing and in words. */
import type { AreaFault } from "@sojourn/client"
import type { Polygons, Position, Ring } from "../shared/area.ts"
import type { OpenedContent } from "../shared/context.ts"
import type { CornerAt } from "./drawing.ts"

type Mark = AreaFault["marks"][number]

export interface DrawnFault {
  /** Positions, edges and rings, each by its positions. */
  readonly lines: ReadonlyArray<Ring>
  /** The first corner of the drawn area that is at fault. */
  readonly corner: CornerAt | undefined
}

interface MarkedAreas {
  readonly sent: Polygons
  readonly organization: Polygons
  readonly place: Polygons | undefined
}

const lineOf = ({ area, at, to }: Mark, areas: MarkedAreas): Ring => {
  const [part = 0, ring = 0, position] = at
  const positions = areas[area]?.[part]?.[ring] ?? []
  if (position === undefined) return positions
  const ends = [positions[position], to === undefined ? undefined : positions[to[2]!]]
  return ends.filter((end): end is Position => end !== undefined)
}

export const drawFault = ({ marks }: AreaFault, areas: MarkedAreas): DrawnFault => {
  const own = marks.find(({ area, at }) => area === "sent" && at.length > 0)
  const [part = 0, ring = 0, position = 0] = own?.at ?? []
  const count = (areas.sent[part]?.[ring]?.length ?? 1) - 1
  return {
    lines: marks.map((mark) => lineOf(mark, areas)).filter(({ length }) => length > 0),
    corner: own === undefined || count < 1 ? undefined : [part, ring, position % count]
  }
}

interface FaultyPlace {
  readonly name: string
  /** Whether it is a part of the place that is edited. */
  readonly isPart: boolean
}

/** Which rule between two areas is broken, in words. */
const ruleSentence = (
  words: OpenedContent["words"],
  { rule, placeId }: AreaFault,
  { name, isPart }: FaultyPlace
): string | undefined => {
  switch (rule) {
    case "PlacesOverlap":
      return words.placesOverlap(name)
    case "PlaceOutsidePlace":
      return (isPart ? words.partOutside : words.outsideParent)(name)
    case "PlaceOutsideOrganization":
      return placeId === undefined ? words.placeOutside : words.otherOutside(name)
    default:
      return undefined
  }
}

/** A fault in words; undefined where the page has none for it. */
export const faultSentence = (
  { words, formats: { number } }: Pick<OpenedContent, "words" | "formats">,
  fault: AreaFault,
  place: FaultyPlace = { name: "", isPart: false }
): string | undefined => {
  const { kind, actual, limit } = fault
  const sentence = (words.areaFaults as Readonly<Record<string, string>>)[kind]
  if (sentence === undefined) return undefined
  const rule = ruleSentence(words, fault, place)
  const numbers =
    actual === undefined || limit === undefined ? [] : [words.limited(number(Math.ceil(actual)), number(limit))]
  return [...(rule === undefined ? [] : [rule]), sentence, ...numbers].join(" ")
}
