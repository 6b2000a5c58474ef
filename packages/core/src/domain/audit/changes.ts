/** What a change left different, as the audit keeps it. */
import { sha256 } from "@noble/hashes/sha2.js"
import { bytesToHex, utf8ToBytes } from "@noble/hashes/utils.js"
import * as Schema from "effect/Schema"
import { pointsOf, type TrackingArea } from "../areas/TrackingArea.ts"

/** A value of JSON that the audit keeps. An area is its number of points and the SHA-256 of its text. */
const Kept = Schema.Union([
  Schema.String,
  Schema.Finite,
  Schema.Boolean,
  Schema.Struct({ points: Schema.Int, sha256: Schema.String })
])
type Kept = typeof Kept.Type

/** The fields that differ, by their names, before and after; left out where a field had or has no value. */
export const Changes = Schema.Record(
  Schema.String,
  Schema.Struct({ from: Schema.optionalKey(Kept), to: Schema.optionalKey(Kept) })
)
export type Changes = typeof Changes.Type

/** The values of fields that the audit may show: never a secret, a password or a token. */
export type Fields = Readonly<Record<string, string | number | bigint | boolean | TrackingArea | undefined>>

/** An area as the audit keeps it. */
const keptArea = (area: TrackingArea): Kept => ({
  points: pointsOf(area),
  sha256: bytesToHex(sha256(utf8ToBytes(area.text)))
})

const keptOf = (value: Fields[string]): Kept | undefined => {
  if (typeof value === "object") return keptArea(value)
  return typeof value === "bigint" ? Number(value) : value
}

const comparable = (value: Fields[string]) => (typeof value === "object" ? value.text : value)

/** The fields that differ between two versions; undefined where none does. Nothing before: something was created. */
export const changesBetween = (before: Fields, after: Fields): Changes | undefined => {
  const changes: Record<string, Changes[string]> = {}
  for (const name of new Set([...Object.keys(before), ...Object.keys(after)])) {
    const [was, is] = [before[name], after[name]]
    if (comparable(was) === comparable(is)) continue
    const [from, to] = [keptOf(was), keptOf(is)]
    changes[name] = { ...(from !== undefined && { from }), ...(to !== undefined && { to }) }
  }
  return Object.keys(changes).length === 0 ? undefined : changes
}
