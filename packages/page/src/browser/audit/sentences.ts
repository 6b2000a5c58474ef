/** Entries of the audit in words: who acted, on what, and what differs since. */
import type { AuditEntry } from "@sojourn/client"
import { readPermission } from "../organizations/model.ts"
import type { OpenedContent } from "../shared/context.ts"
import type { AllWords } from "../words/languages.ts"

type Spoken = Pick<OpenedContent, "words" | "formats">
type Value = NonNullable<AuditEntry["changes"]>[string]["from"]

/** The names of places by their ids, as far as they are known. */
export type PlaceNames = ReadonlyMap<number, string>

/** How many of the audit's units one of the page's has. */
export const UNITS: Readonly<Record<string, number>> = { longestStay: 3_600, retention: 86_400, warnAt: 0.01 }

/** The action of readings of people, which change nothing. */
export const READING = "person.read"

/** A text by its name; the stable name where there is no text yet. */
const textIn = (texts: object, name: string): string => (texts as Readonly<Record<string, string>>)[name] ?? name

/** The texts of the fields that have another name on the page. */
const FIELD_TEXTS: Readonly<Record<string, keyof AllWords>> = {
  trackingArea: "area",
  level: "floorLevel",
  parentId: "partOf",
  permission: "permissionLevel",
  premises: "countsAt",
  types: "events",
  swept: "searched",
  accesses: "stays"
}

const fieldText = ({ words }: Spoken, name: string): string =>
  textIn({ ...words, ...words.fields, ...words.policyFields }, FIELD_TEXTS[name] ?? name)

const placeText = ({ words }: Spoken, names: PlaceNames, id: string): string =>
  id === "organization" ? words.whole : (names.get(Number(id)) ?? `${words.place} ${id}`)

const valueText = (spoken: Spoken, names: PlaceNames, name: string, value: Value): string => {
  const { words, formats } = spoken
  if (value === undefined || value === false) return "–"
  if (value === true) return "✓"
  if (typeof value === "object") return words.points(formats.number(value.points))
  const text = String(value)
  const each = (textOf: (one: string) => string) => text.split(",").map(textOf).join(", ")
  switch (name) {
    case "parentId":
      return placeText(spoken, names, text)
    case "premises":
      return each((id) => placeText(spoken, names, id))
    case "types":
      return each((type) => textIn(words.eventTypes, type))
    case "permission":
      return words.permission[readPermission(text as "viewer")]
    case "kind":
      return textIn(words, text)
    default:
      return typeof value === "number" ? formats.number(value / (UNITS[name] ?? 1)) : text
  }
}

/** Each changed field, before and after. */
export const changesText = (spoken: Spoken, names: PlaceNames, { changes = {} }: AuditEntry): ReadonlyArray<string> =>
  Object.entries(changes).map(([name, { from, to }]) => {
    const [before, after] = [from, to].map((value) => valueText(spoken, names, name, value))
    return `${fieldText(spoken, name)}: ${before} → ${after}`
  })

/** Who acted. */
export const actorText = (spoken: Spoken, self: string, { actor: { kind, id } }: AuditEntry): string => {
  const { words } = spoken
  if (kind === "administrator") return id === self ? `${id} (${words.you})` : id
  return `${words.actors[kind]}: ${kind === "policy" ? fieldText(spoken, id) : id}`
}

/** What was done to which thing, and how many people that concerned. */
export const deedText = (spoken: Spoken, names: PlaceNames, entry: AuditEntry): string => {
  const { words, formats } = spoken
  const { action, target, placeId, count } = entry
  const thing = () => {
    switch (target?.kind) {
      case undefined:
      case "organization":
        return undefined
      case "place":
        return placeText(spoken, names, target!.id)
      case "floorPlan":
        return words.floor(target!.id)
      case "person":
      case "user":
      case "operator":
      case "administrator":
        return target!.id
      default:
        return `#${target!.id}`
    }
  }
  const parts = [
    thing(),
    target?.kind === "place" || placeId === undefined ? undefined : placeText(spoken, names, String(placeId)),
    count === undefined ? undefined : words.affected(formats.number(count))
  ].filter((part) => part !== undefined)
  return `${textIn(words.acts, action)}${parts.length === 0 ? "" : `: ${parts.join(", ")}`}`
}
