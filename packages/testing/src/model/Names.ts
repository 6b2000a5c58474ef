/** Translates between the labels of the model and the ids of a service, which differ from run to run. */
import type { At, TokenRef } from "./commands.ts"

/** An id that the service could issue and, for want of time, never will. */
const NEVER_ISSUED = 9007199254740991n

/** A text of a token's length and letters that is none. */
const NO_TOKEN = "A".repeat(56)

/** What has an id. */
type Kind = "organization" | "place" | "muster" | "webhook"

const MADE_FOR = "made for "

/** What an administrator is called whose id the service made. */
const madeFor = (mail: string): string => `${MADE_FOR}${mail.toLowerCase()}`

/** Is it what an invited administrator is called, who cannot sign in by that name? */
export const isInvitation = (administrator: string): boolean => administrator.startsWith(MADE_FOR)

/** The real ids and tokens of one run, and the labels that its commands call them by. */
export class Names {
  #ids = new Map<string, bigint>()
  #labels = new Map<string, string>()
  #tokens = new Map<string, string>()
  #made = new Map<string, string>()

  /** Keeps what is known now; the answer puts it back, as often as it is called. */
  save(): () => void {
    const [ids, labels, tokens, made] = [this.#ids, this.#labels, this.#tokens, this.#made].map((map) => [...map])
    return () => {
      this.#ids = new Map(ids as Iterable<[string, bigint]>)
      this.#labels = new Map(labels as Iterable<[string, string]>)
      this.#tokens = new Map(tokens as Iterable<[string, string]>)
      this.#made = new Map(made as Iterable<[string, string]>)
    }
  }

  /** Something was made under a label. */
  bind(kind: Kind, label: string, id: bigint): void {
    this.#ids.set(`${kind} ${label}`, id)
    this.#labels.set(`${kind} ${id}`, label)
  }

  id(kind: Kind, label: string): bigint {
    return this.#ids.get(`${kind} ${label}`) ?? NEVER_ISSUED
  }

  label(kind: Kind, id: bigint | number): string {
    return this.#labels.get(`${kind} ${id}`) ?? `${kind} ${id}, which nothing was made under`
  }

  /** The premises that an answer is about. */
  at(kind: "organization" | "place", id: bigint | number): At {
    const label = this.label(kind, id)
    return kind === "organization" ? { organization: label } : { place: label }
  }

  /** An entrance was answered with a token. */
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

  /** What an administrator is called: the ones whose id the service made, by whom it was made for. */
  administrator(id: string, mail: string | undefined): string {
    if (!/^[0-9a-f]{8}-/.test(id) || mail === undefined) return id
    this.#made.set(madeFor(mail), id)
    return madeFor(mail)
  }

  /** The id of an administrator, by what they are called. */
  administratorId(name: string): string {
    return this.#made.get(name) ?? name
  }

  /** What a place is called: a name made of its id is one made of its label. */
  placeTitle(id: bigint | number, name: string | undefined): string {
    return name === undefined || name === `Place ${id}` ? `Place ${this.label("place", id)}` : name
  }
}
