/** Searches of a directory for people: by their ids, or for all of them. */
import { type OrgAuthServerId, type PersonInformation } from "@sojourn/core"
import { Effect, Option } from "effect"
import { type Entry, OrFilter } from "ldapts"
import type { OperationFailure } from "./Connection.ts"
import type { Failure } from "./Failures.ts"
import { hasId, hasIdValue, personAttributes, personOf, withoutAliases } from "./PersonEntries.ts"
import type { DirectoryAccess } from "./BindAuthentication.ts"
import { ofPersonsSearch, ResultCode } from "./ResultCodes.ts"

/** Ids per search. 50 of the longest ids are 52 kB; servers accept requests of 256 kB. */
const IDS_PER_SEARCH = 50

/** The most entries of a search for so many ids. The server may treat other spellings as equal, so it may find more. */
const entriesFor = (ids: number) => 2 * ids + 8

const peopleOf = (
  { server, settings }: DirectoryAccess,
  entries: ReadonlyArray<Entry>
): ReadonlyArray<PersonInformation> =>
  withoutAliases(entries).flatMap((entry) => Option.toArray(personOf(entry, server, settings)))

/** Maps ids to people. An id that several entries have is ambiguous and left out. */
const byId = (people: ReadonlyArray<PersonInformation>): ReadonlyMap<OrgAuthServerId, PersonInformation> => {
  const found = new Map<OrgAuthServerId, PersonInformation>()
  const shared = new Set<OrgAuthServerId>()
  for (const person of people) {
    if (found.has(person.orgAuthServerId)) shared.add(person.orgAuthServerId)
    found.set(person.orgAuthServerId, person)
  }
  for (const id of shared) found.delete(id)
  return found
}

/** Replaces `noSuchObject` by an empty result: servers report entries that may not be read as missing. */
const orEmpty = <A>(empty: A, effect: Effect.Effect<A, OperationFailure>): Effect.Effect<A, Failure> =>
  Effect.catchTag(effect, "NotSucceeded", (result): Effect.Effect<A, Failure> =>
    result.code === ResultCode.noSuchObject ? Effect.succeed(empty) : Effect.fail(ofPersonsSearch(result))
  )

/** Searches for these ids. A truncated search is split in halves, down to one id; a truncated one for one id is empty. */
const search = Effect.fnUntraced(function* (
  access: DirectoryAccess,
  ids: ReadonlyArray<OrgAuthServerId>
): Effect.fn.Return<ReadonlyArray<PersonInformation>, OperationFailure> {
  const { connection, server, settings } = access
  const { base, scope } = server
  const { entries, isComplete } = yield* connection.search({
    base,
    scope,
    filter: new OrFilter({ filters: ids.map((id) => hasIdValue(server, id)) }),
    attributes: personAttributes(server, settings),
    most: entriesFor(ids.length)
  })
  if (isComplete) return peopleOf(access, entries)
  if (ids.length === 1) return []
  const middle = Math.ceil(ids.length / 2)
  return [...(yield* search(access, ids.slice(0, middle))), ...(yield* search(access, ids.slice(middle)))]
})

/**
 * Returns the people with these ids that the bound account can see: each once, in the order of the ids. The server may match
 * `ALICE` for `alice`; only people with exactly the requested id are returned, and only if no other entry has it.
 */
export const readPeople = Effect.fnUntraced(function* (
  access: DirectoryAccess,
  ids: ReadonlyArray<OrgAuthServerId>
): Effect.fn.Return<ReadonlyArray<PersonInformation>, Failure> {
  const wanted = [...new Set(ids)]
  const people: Array<PersonInformation> = []
  for (let at = 0; at < wanted.length; at += IDS_PER_SEARCH) {
    const batch = wanted.slice(at, at + IDS_PER_SEARCH)
    const found = byId(yield* orEmpty([], search(access, batch)))
    for (const id of batch) {
      const person = found.get(id)
      if (person !== undefined) people.push(person)
    }
  }
  return people
})

/**
 * Returns at most `most` of the people that the bound account can see, in the directory's order. The server's own size limit
 * may return fewer.
 */
export const readEveryone = Effect.fnUntraced(function* (
  access: DirectoryAccess,
  most: number
): Effect.fn.Return<ReadonlyArray<PersonInformation>, Failure> {
  const { connection, server, settings } = access
  const { base, scope } = server
  const people: Array<PersonInformation> = []
  const query = { base, scope, filter: hasId(server), attributes: personAttributes(server, settings), most }
  yield* orEmpty(
    true,
    connection.searchInPages(query, (page) => {
      people.push(...peopleOf(access, page))
      return people.length >= most
    })
  )
  return [...byId(people).values()].slice(0, most)
})
