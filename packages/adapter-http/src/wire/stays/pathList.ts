/** Reads the lists in paths. It takes a path as it was sent, as identifiers may hold commas of their own. */
import { OrgAuthServerId, Text } from "@sojourn/core"
import * as Result from "effect/Result"
import * as Schema from "effect/Schema"

/** How many identifiers a list in a path may hold, as written. */
export const LARGEST_LIST = 100

/** The list is malformed: an empty element, too many of them, or characters that no identifier holds. */
export class PathListMalformed {
  readonly _tag = "PathListMalformed"
  readonly detail: string
  constructor(detail: string) {
    this.detail = detail
  }
}

const isText = Schema.is(Text)
const isOrgAuthServerId = Schema.is(OrgAuthServerId)

/** The last segment of a request's path as it was sent, before anything was decoded. */
export const lastSegment = (url: string): string => {
  const path = url.split("?", 1)[0] ?? ""
  return path.slice(path.lastIndexOf("/") + 1)
}

const decode = (segment: string): Result.Result<string, PathListMalformed> =>
  Result.flatMap(
    Result.try({
      try: () => (segment.includes("%") ? decodeURIComponent(segment) : segment),
      catch: () => new PathListMalformed("A percent escape in the path is malformed.")
    }),
    (text) =>
      isText(text) ? Result.succeed(text) : Result.fail(new PathListMalformed("The path holds a NUL character."))
  )

const elements = (text: string): Result.Result<ReadonlyArray<string>, PathListMalformed> => {
  const list = text.split(",")
  if (list.length > LARGEST_LIST) {
    return Result.fail(new PathListMalformed(`A list holds at most ${LARGEST_LIST} identifiers.`))
  }
  return list.includes("") ? Result.fail(new PathListMalformed("A list holds no empty element.")) : Result.succeed(list)
}

/** Exit tokens, split at commas however they are written: a token never holds one (spec: http#path-lists). */
export const exitTokens = (segment: string): Result.Result<ReadonlyArray<string>, PathListMalformed> =>
  Result.flatMap(decode(segment), elements)

/**
 * The identifiers of people, split at plain commas first and decoded after: an identifier may itself hold a comma, as the
 * names of LDAP do (spec: http#path-lists).
 */
export const orgAuthServerIds = (segment: string): Result.Result<ReadonlyArray<OrgAuthServerId>, PathListMalformed> =>
  Result.gen(function* () {
    const decoded: Array<OrgAuthServerId> = []
    for (const element of yield* elements(segment)) decoded.push((yield* decode(element)) as OrgAuthServerId)
    return decoded
  })

/**
 * The people that an administrator's list stands for. Older clients escape the whole list, so an element that still holds
 * a comma also stands for its parts; what cannot be an identifier is left out.
 */
export const withParts = (ids: ReadonlyArray<OrgAuthServerId>): ReadonlyArray<OrgAuthServerId> =>
  ids.flatMap((id) => (id.includes(",") ? [id, ...id.split(",")] : [id])).filter(isOrgAuthServerId)
