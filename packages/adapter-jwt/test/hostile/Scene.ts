import { goodHeader, goodPayload, goodToken, type Issuer, issuer, type Json, type KeyType } from "../Issuer.ts"

/** What an attacker has to work with. */
export interface Scene {
  /** The issuer that is trusted. What is "by the issuer" is really signed with its key: what its other tokens could be. */
  readonly victim: Issuer
  /** A key of the attacker's, of the same type, under the same names. */
  readonly attacker: Issuer
  /** The time, in seconds. */
  readonly now: number
  /** An address of the attacker's, where the attacker's keys are served. */
  readonly trap: string
  readonly header: Json
  readonly payload: Json
  /** A good token, and its parts. */
  readonly token: string
  readonly parts: readonly [string, string, string]
}

/** A hostile token, and what is wrong with it. */
export type Hostile = readonly [name: string, token: string]

/** Keys take long to make: the attacker has one of each type. */
const attackers = new Map<string, Issuer>()
const attackerOf = ({ alg, ...names }: Issuer): Issuer => {
  const made = attackers.get(alg) ?? issuer(alg as KeyType, "", "", "")
  attackers.set(alg, made)
  return { ...made, ...names, alg, key: made.key }
}

export const scene = (victim: Issuer, now: number, trap: string): Scene => {
  const token = goodToken(victim, now)
  const [head = "", body = "", signature = ""] = token.split(".")
  return {
    victim,
    attacker: attackerOf(victim),
    now,
    trap,
    header: goodHeader(victim),
    payload: goodPayload(victim, now),
    token,
    parts: [head, body, signature]
  }
}

export const without = (object: Json, name: string): Json =>
  Object.fromEntries(Object.entries(object).filter(([key]) => key !== name))
