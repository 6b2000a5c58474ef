/** Hostile tokens whose form is wrong. */
import { encode, goodToken } from "../Issuer.ts"
import { ALPHABET } from "./mutations.ts"
import type { Hostile, Scene } from "./Scene.ts"

type Class = (scene: Scene) => ReadonlyArray<Hostile>

const parts: Class = ({ token, parts: [head, body, signature] }) => [
  ["empty", ""],
  ["one word", "alice"],
  ["no dots", head + body + signature],
  ["one dot", `${head}.${body}`],
  ["only dots", ".."],
  ["no signature", `${head}.${body}.`],
  ["no payload", `${head}..${signature}`],
  ["no header", `.${body}.${signature}`],
  ["four parts", `${token}.${signature}`],
  ["a dot more", `${token}.`],
  ["a dot before", `.${token}`],
  ["signature twice", `${head}.${body}.${signature}${signature}`],
  ["two tokens", `${token} ${token}`],
  ["two tokens with a comma", `${token},${token}`],
  ["full-width dots", token.replaceAll(".", "\uff0e")],
  ["JSON serialization", JSON.stringify({ protected: head, payload: body, signature })]
]

const oversized: Class = ({ victim, now }) => [
  ["1 MB by the issuer", goodToken(victim, now, { padding: "x".repeat(1024 * 1024) })],
  ["1 MB of nothing", "A".repeat(1024 * 1024)],
  ["1 MB of dots", ".".repeat(1024 * 1024)],
  ["just too long, by the issuer", goodToken(victim, now, { padding: "x".repeat(13_000) })],
  ["a header too long, by the issuer", goodToken(victim, now, {}, { padding: "x".repeat(13_000) })]
]

/** Other spellings of the same octets: the bits of the last character that hold no octet are set. */
const spellings = (text: string): ReadonlyArray<string> => {
  const octets = Buffer.from(text, "base64url")
  return [...ALPHABET]
    .map((last) => text.slice(0, -1) + last)
    .filter((other) => other !== text && Buffer.from(other, "base64url").equals(octets))
}

const notCanonical: Class = ({ token, parts: [head, body, signature] }) => [
  ["padded signature", `${token}=`],
  ["twice padded signature", `${token}==`],
  ["padded header", `${head}=.${body}.${signature}`],
  ["padded payload", `${head}.${body}=.${signature}`],
  ["base64 in place of base64url", `${head}.${body}.${signature.slice(0, -1)}+`],
  ["a header of one character more", `${head}A.${body}.${signature}`],
  ...spellings(signature).map((other, i) => [`signature (${i})`, `${head}.${body}.${other}`] as const),
  ...spellings(head).map((other, i) => [`header (${i})`, `${other}.${body}.${signature}`] as const)
]

const surrounded: Class = ({ token, parts: [head, body, signature] }) => [
  ["blank before", ` ${token}`],
  ["blank after", `${token} `],
  ["tab after", `${token}\t`],
  ["line break after", `${token}\n`],
  ["blank inside", `${head}. ${body}.${signature}`],
  ["line break in the signature", `${head}.${body}.${signature.slice(0, 9)}\n${signature.slice(9)}`],
  ["Bearer twice", `Bearer ${token}`],
  ["NUL after", `${token}\u0000`],
  ["BOM before", `\ufeff${token}`],
  ["soft hyphen", `${head}.${body}.\u00ad${signature}`],
  ["quoted", `"${token}"`],
  ["percent-encoded dots", token.replaceAll(".", "%2E")]
]

const spliced: Class = ({ victim, now, parts: [head, body, signature] }) => {
  const [otherHead, otherBody, otherSignature] = goodToken(victim, now, { sub: "alice" }, { typ: "at+jwt" }).split(".")
  return [
    ["another header", `${otherHead}.${body}.${signature}`],
    ["another payload", `${head}.${otherBody}.${signature}`],
    ["another signature", `${head}.${body}.${otherSignature}`],
    ["parts in another order", `${body}.${head}.${signature}`],
    ["a header as payload", `${head}.${head}.${signature}`],
    ["an empty object as payload", `${head}.${encode({})}.${signature}`]
  ]
}

/** What is wrong with how the token is written. */
export const ofForm: Readonly<Record<string, Class>> = {
  "wrong parts": parts,
  oversized,
  "base64url spelled another way": notCanonical,
  "something around or inside": surrounded,
  "parts of two good tokens": spliced
}
