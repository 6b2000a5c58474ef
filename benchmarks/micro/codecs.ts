import { Option, Schema } from "effect"
import { exitTokens, orgAuthServerIds } from "../../packages/adapter-http/src/wire/pathList.ts"
import {
  WireOrganizationEntrance,
  WireOrganizationExit,
  WireOrganizationMovement
} from "../../packages/adapter-http/src/wire/movement.ts"
import { NOW, ORGANIZATION } from "./stays.ts"
import { allows, finds, type Subject, writes } from "./Subject.ts"
import { TOKEN } from "./tokens.ts"

const organizationId = Number(ORGANIZATION)

/** What a phone sends, as text. */
export const SENT = {
  entrance: JSON.stringify({ movementType: 1, organizationId }),
  exit: JSON.stringify({ movementType: -1, organizationId, exitToken: TOKEN })
}

const codec = Schema.toCodecJson(WireOrganizationMovement)
const movement = Schema.decodeUnknownOption(codec)
const answer = Schema.Union([WireOrganizationEntrance, WireOrganizationExit])
const encode = Schema.encodeUnknownOption(Schema.toCodecJson(answer))

/** A body as the interface reads it: JSON, then the shape. */
export const decodeBody = (text: string) => movement(JSON.parse(text))

/** An answer as the interface writes it: the shape, then JSON. */
export const encodeAnswer = (tracked: unknown) => JSON.stringify(Option.getOrThrow(encode(tracked)))

/** Bodies of movements and their answers, named by how schemas are run. */
export const codecs = (how: "compiled" | "interpreted"): ReadonlyArray<Subject> => {
  const named = (what: string) => `${what}, schema ${how}`
  const parsed = { entrance: JSON.parse(SENT.entrance), exit: JSON.parse(SENT.exit) }
  const timed = { ...parsed.exit, timestamp: "2026-03-01T08:00:00.000Z" }
  const tracked = { organizationId: ORGANIZATION, timestamp: NOW, exitToken: TOKEN, orgAuthServerId: undefined }
  const entered = { movementType: 1, ...tracked }
  const written = `{"movementType":1,"organizationId":${organizationId},"timestamp":"2026-03-01T08:00:00.000Z","exitToken":"${TOKEN}"}`
  return [
    finds(named("wire: an entrance decoded"), () => movement(parsed.entrance)),
    finds(named("wire: an exit decoded"), () => movement(parsed.exit)),
    finds(named("wire: an exit with its time decoded"), () => movement(timed)),
    finds(named("wire: an entrance encoded"), () => encode(entered)),
    finds(named("wire: a body of JSON decoded"), () => decodeBody(SENT.exit)),
    writes(named("wire: an answer in JSON encoded"), written, () => encodeAnswer(entered))
  ]
}

/** How many identifiers the lists hold: as many as they may. */
const LISTED = 100

/** The lists in paths. */
export const pathLists = (): ReadonlyArray<Subject> => {
  const listed = Array.from({ length: LISTED }, () => TOKEN).join(",")
  const escaped = encodeURIComponent(listed)
  const people = Array.from({ length: LISTED }, (_, nth) => `uid%3Dperson${nth}%2Cdc%3Dorg`).join(",")
  return [
    allows(`path list: ${LISTED} exit tokens`, () => exitTokens(listed)),
    allows(`path list: ${LISTED} exit tokens, escaped`, () => exitTokens(escaped)),
    allows(`path list: ${LISTED} people, escaped`, () => orgAuthServerIds(people))
  ]
}
