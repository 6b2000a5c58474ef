export const ALPHABET = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_"

/** Endless small damages to tokens: none gives one of the tokens. The same seed gives the same ones. */
export const mutations = (tokens: ReadonlyArray<string>, count: number, seed: number): ReadonlyArray<string> => {
  let state = seed
  const below = (limit: number) => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0
    return Math.floor((state / 2 ** 32) * limit)
  }
  const one = (list: ReadonlyArray<string>) => list[below(list.length)] ?? ""
  const character = () => one([...ALPHABET, ".", "=", " ", "\n", "+", "/", "\u0000", "é"])

  const characterChanged = (text: string): string => {
    const at = below(text.length)
    return text.slice(0, at) + character() + text.slice(at + 1)
  }
  const characterLost = (text: string): string => {
    const at = below(text.length)
    return text.slice(0, at) + text.slice(at + 1)
  }
  const characterMore = (text: string): string => {
    const at = below(text.length)
    return text.slice(0, at) + character() + text.slice(at)
  }
  const cut = (text: string): string => text.slice(0, below(text.length))
  const swapped = (text: string): string => {
    const [at, other] = [below(text.length), below(text.length)]
    const characters = [...text]
    characters[at] = text[other] ?? ""
    characters[other] = text[at] ?? ""
    return characters.join("")
  }
  /** What base64url stands for, so that the form stays right. */
  const bitFlipped = (text: string): string => {
    const parts = text.split(".")
    const part = below(parts.length)
    const octets = Buffer.from(parts[part] ?? "", "base64url")
    const at = below(octets.length)
    octets[at] = (octets[at] ?? 0) ^ (1 << below(8))
    return parts.map((old, i) => (i === part ? octets.toString("base64url") : old)).join(".")
  }
  const spliced = (text: string): string => {
    const other = one(tokens).split(".")
    const part = below(3)
    return text
      .split(".")
      .map((old, i) => (i === part ? (other[i] ?? old) : old))
      .join(".")
  }
  const damages = [characterChanged, characterLost, characterMore, cut, swapped, bitFlipped, bitFlipped, spliced]
  const mutate = (text: string): string => damages[below(damages.length)]?.(text) ?? text

  const good = new Set(tokens)
  const all: Array<string> = []
  while (all.length < count) {
    const mutated = below(4) === 0 ? mutate(mutate(one(tokens))) : mutate(one(tokens))
    if (!good.has(mutated)) all.push(mutated)
  }
  return all
}
