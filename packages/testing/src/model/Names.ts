/** Translates between the labels of the model and the ids of a service, which differ from run to run. */
import type { PremisesRef, TokenRef } from "./commands.ts"

/** A valid id that no service issues in a run. */
const NEVER_ISSUED = 9007199254740991n

/** A text of a token's length and letters that is none. */
const NO_TOKEN = "A".repeat(56)

/** The kinds of things that have ids. */
type Kind = "organization" | "place" | "muster" | "webhook"

const MADE_FOR = "made for "

/** The label of an administrator whose id the service generated. */
const madeFor = (mail: string): string => `${MADE_FOR}${mail.toLowerCase()}`

/** Whether a label is that of an invited administrator, who cannot sign in by it. */
export const isInvitation = (administrator: string): boolean => administrator.startsWith(MADE_FOR)

/** Saves the entries of maps; the function that it returns restores them, any number of times. */
export const saved = (maps: ReadonlyArray<Map<any, any>>): (() => void) => {
  const entries = maps.map((map) => [...map])
  return () => {
    for (const [n, map] of maps.entries()) {
      map.clear()
      for (const [key, value] of entries[n]!) map.set(key, value)
    }
  }
}

/** The real ids and tokens of one run, and the labels that its commands call them by. */
export class Names {
  readonly #ids = new Map<string, bigint>()
  readonly #labels = new Map<string, string>()
  readonly #tokens = new Map<string, string>()
  readonly #made = new Map<string, string>()

  /** Saves what is known; the function that it returns restores it, any number of times. */
  save(): () => void {
    return saved([this.#ids, this.#labels, this.#tokens, this.#made])
  }

  /** Records the id that a label's command created. */
  bind(kind: Kind, label: string, id: bigint): void {
    this.#ids.set(`${kind} ${label}`, id)
    this.#labels.set(`${kind} ${id}`, label)
  }

  id(kind: Kind, label: string): bigint {
    return this.#ids.get(`${kind} ${label}`) ?? NEVER_ISSUED
  }

  label(kind: Kind, id: bigint | number): string {
    return this.#labels.get(`${kind} ${id}`) ?? `${kind} ${id}, which is unknown`
  }

  /** The premises that an answer is about. */
  at(kind: "organization" | "place", id: bigint | number): PremisesRef {
    const label = this.label(kind, id)
    return kind === "organization" ? { organization: label } : { place: label }
  }

  /** Records the token of an entrance. */
  bindToken(label: string, token: string): void {
    this.#tokens.set(label, token)
  }

  /** The text that a command sends as a token. */
  token(ref: TokenRef): string {
    if ("text" in ref) return ref.text
    const token = this.#tokens.get(ref.of) ?? NO_TOKEN
    if (ref.altered === undefined) return token
    const index = ref.altered % token.length
    return token.slice(0, index) + (token[index] === "B" ? "C" : "B") + token.slice(index + 1)
  }

  /** The label of an administrator: of one whose id the service generated, a label made of the mail address. */
  administrator(id: string, mail: string | undefined): string {
    if (!/^[0-9a-f]{8}-/.test(id) || mail === undefined) return id
    this.#made.set(madeFor(mail), id)
    return madeFor(mail)
  }

  /** The id of an administrator, by label. */
  administratorId(name: string): string {
    return this.#made.get(name) ?? name
  }

  /** The name of a place, where a name generated from its id is one made of its label. */
  placeTitle(id: bigint | number, name: string | undefined): string {
    return name === undefined || name === `Place ${id}` ? `Place ${this.label("place", id)}` : name
  }
}
