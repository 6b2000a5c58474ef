/** Compares the answers of two services whose ids and tokens differ: each of the oracle has one partner of the other service. */
import { Option } from "effect"
import { type Answer, type Kind, Ref, type Request } from "./Request.ts"

type Fields = Readonly<Record<string, unknown>>

/** What is not compared: random, or numbered by each service for itself. */
const OWN = new Set([
  "secret",
  "earlierSecret",
  "keyId",
  "stayId",
  "retriedEntrances",
  "musterEntries",
  "mentions",
  "version",
  "maxArea",
  "mode",
  "polygons"
])

/** A value without classes and without fields that are undefined: areas and URLs are their text. */
const plain = (value: unknown): unknown => {
  if (Option.isOption(value)) return plain(Option.getOrUndefined(value))
  if (Array.isArray(value)) return value.map(plain)
  if (typeof value !== "object" || value === null) return value
  if ("text" in value) return value.text
  const fields = Object.entries(value).filter(
    ([name, field]) => field !== undefined && name !== "_tag" && !OWN.has(name)
  )
  return Object.fromEntries(
    fields.map(([name, field]) => [name, plain(field)] as const).filter(([, field]) => field !== undefined)
  )
}

const isGeneratedId = (text: string): boolean => /^[0-9a-f]{8}-/.test(text)

/** The kind of an id or a token in a field; none: it is plain data. */
const kindOf = (name: string, value: unknown, id: Request["id"]): Kind | "any" | undefined => {
  if (typeof value === "bigint") return name === "id" ? id : (name as Kind)
  if (typeof value !== "string") return undefined
  return name === "exitToken" ? "exitToken" : isGeneratedId(value) ? "administratorId" : undefined
}

export class Partners {
  private of: Map<string, unknown>
  private readonly taken: Set<string>

  constructor(pairs: ReadonlyArray<readonly [string, unknown]> = []) {
    this.of = new Map(pairs)
    this.taken = new Set(pairs.map(([key, other]) => `${key.split(" ")[0]} ${String(other)}`))
  }

  copy(): Partners {
    return new Partners([...this.of])
  }

  /** The operands of a request with the ids of the other service. */
  translate(value: unknown): unknown {
    if (value instanceof Ref) return this.of.get(`${value.kind} ${String(value.id)}`) ?? value.id
    if (Array.isArray(value)) return value.map((one) => this.translate(one))
    if (typeof value !== "object" || value === null) return value
    return Object.fromEntries(Object.entries(value).map(([name, field]) => [name, this.translate(field)]))
  }

  /** The operands with references as these partners have them, where `sent` are the partners by which the operands were translated. */
  relocate<Value>(value: Value, sent: Partners): Value {
    const locate = (one: unknown): unknown => {
      if (one instanceof Ref) {
        const other = sent.of.get(`${one.kind} ${String(one.id)}`)
        const own = other !== undefined && this.ownOf(one.kind, other)
        return own ? new Ref(one.kind, typeof one.id === "bigint" ? BigInt(own) : own) : one
      }
      if (Array.isArray(one)) return one.map(locate)
      if (typeof one !== "object" || one === null) return one
      return Object.fromEntries(Object.entries(one).map(([name, field]) => [name, locate(field)]))
    }
    return locate(value) as Value
  }

  private ownOf(kind: Kind, other: unknown): string | undefined {
    for (const [key, partner] of this.of)
      if (partner === other && key.startsWith(`${kind} `)) return key.slice(kind.length + 1)
    return undefined
  }

  /** Are they partners? Two that come for the first time become partners. */
  private arePartners(kind: Kind, one: unknown, other: unknown): boolean {
    const key = `${kind} ${String(one)}`
    if (this.of.has(key)) return this.of.get(key) === other
    const taken = `${kind} ${String(other)}`
    if (this.taken.has(taken)) return false
    this.of.set(key, other)
    this.taken.add(taken)
    return true
  }

  private same(one: unknown, other: unknown, name: string, id: Request["id"]): boolean {
    const kind = kindOf(name, one, id)
    if (kind !== undefined) return kind === "any" || (typeof other === typeof one && this.arePartners(kind, one, other))
    if (Array.isArray(one)) {
      if (!Array.isArray(other) || one.length !== other.length) return false
      // Lists of ids are sets.
      if (name.endsWith("Ids"))
        return one.every((item) => other.some((partner) => this.same(item, partner, name.slice(0, -1), id)))
      return one.every((item, nth) => this.same(item, other[nth], "", id))
    }
    if (typeof one !== "object" || one === null || typeof other !== "object" || other === null) {
      return one === other
    }
    const names = new Set([...Object.keys(one), ...Object.keys(other)])
    return [...names].every((field) => this.same((one as Fields)[field], (other as Fields)[field], field, id))
  }

  /** The value with the oracle's ids replaced by those of the other service, as far as they are known, for sorting. */
  private key(value: unknown, of: "oracle" | "other"): string {
    return JSON.stringify(value, (name, field: unknown) => {
      const kind = kindOf(name, field, "any")
      if (kind === undefined) return field
      return String(
        kind === "any"
          ? ""
          : of === "oracle"
            ? (this.of.get(`${kind} ${String(field)}`) ?? "")
            : this.taken.has(`${kind} ${String(field)}`)
              ? field
              : ""
      )
    })
  }

  /** Was a request answered as it was to be? */
  agree({ id, isUnordered }: Request, expected: Answer, seen: Answer): boolean {
    if (expected.name !== seen.name) return false
    let [one, other] = [plain(expected.value), plain(seen.value)]
    if (isUnordered && Array.isArray(one) && Array.isArray(other)) {
      one = one.toSorted((a, b) => (this.key(a, "oracle") < this.key(b, "oracle") ? -1 : 1))
      other = other.toSorted((a, b) => (this.key(a, "other") < this.key(b, "other") ? -1 : 1))
    }
    return this.same(one, other, "", id)
  }
}
