import {
  type DirectoryRefused,
  type DirectoryTimeout,
  type DirectoryUnreachable,
  type OrgAuthServerId,
  type PersonInformation
} from "@sojourn/core"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import { type Entry, OrFilter } from "ldapts"
import type { OperationFailure } from "./Connection.ts"
import { personAttributes, personOf, withoutAliases } from "./Entries.ts"
import { type Asking, hasId, isCalled } from "./Proof.ts"
import { ofPersonsSearch, ResultCode } from "./Results.ts"

type Failure = DirectoryRefused | DirectoryUnreachable | DirectoryTimeout

/** Ids that one search asks for. 50 of the longest are 52 kB: servers take requests of 256 kB. */
const IDS_PER_SEARCH = 50

/** What one search for so many ids may find: some are others' as well, in a spelling that the server takes for the same. */
const entriesFor = (ids: number) => 2 * ids + 8

const peopleOf = ({ server, settings }: Asking, entries: ReadonlyArray<Entry>): ReadonlyArray<PersonInformation> =>
  withoutAliases(entries).flatMap((entry) => Option.toArray(personOf(entry, server, settings)))

/** The people whose id is nobody else's, by it. Of an id that several have, nobody knows whose it is. */
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

/** A server hides what may not be read as if it were not there: then nobody may be seen. */
const orNobody = <A>(nobody: A, effect: Effect.Effect<A, OperationFailure>): Effect.Effect<A, Failure> =>
  Effect.catchTag(effect, "NotSucceeded", (result): Effect.Effect<A, Failure> =>
    result.code === ResultCode.noSuchObject ? Effect.succeed(nobody) : Effect.fail(ofPersonsSearch(result))
  )

/** The people of these ids. A search that is cut short is made again in halves, until it is one id that too many have. */
const search = Effect.fnUntraced(function* (
  asking: Asking,
  ids: ReadonlyArray<OrgAuthServerId>
): Effect.fn.Return<ReadonlyArray<PersonInformation>, OperationFailure> {
  const { connection, server, settings } = asking
  const { base, scope } = server
  const { entries, isComplete } = yield* connection.search({
    base,
    scope,
    filter: new OrFilter({ filters: ids.map((id) => isCalled(server, id)) }),
    attributes: personAttributes(server, settings),
    most: entriesFor(ids.length)
  })
  if (isComplete) return peopleOf(asking, entries)
  if (ids.length === 1) return []
  const middle = Math.ceil(ids.length / 2)
  return [...(yield* search(asking, ids.slice(0, middle))), ...(yield* search(asking, ids.slice(middle)))]
})

/**
 * What the holder of the conversation sees of these people: each once, in the order asked for. The server finds `ALICE` when
 * it is asked for `alice`; who is answered has the very id that was asked for, and nobody else there has it.
 */
export const ofPeople = Effect.fnUntraced(function* (
  asking: Asking,
  ids: ReadonlyArray<OrgAuthServerId>
): Effect.fn.Return<ReadonlyArray<PersonInformation>, Failure> {
  const wanted = [...new Set(ids)]
  const people: Array<PersonInformation> = []
  for (let at = 0; at < wanted.length; at += IDS_PER_SEARCH) {
    const batch = wanted.slice(at, at + IDS_PER_SEARCH)
    const found = byId(yield* orNobody([], search(asking, batch)))
    for (const id of batch) {
      const person = found.get(id)
      if (person !== undefined) people.push(person)
    }
  }
  return people
})

/**
 * Everybody whom the holder of the conversation sees, in the directory's order, up to so many: as many as the server gives,
 * which may end a search earlier.
 */
export const ofEveryone = Effect.fnUntraced(function* (
  asking: Asking,
  most: number
): Effect.fn.Return<ReadonlyArray<PersonInformation>, Failure> {
  const { connection, server, settings } = asking
  const { base, scope } = server
  const people: Array<PersonInformation> = []
  const query = { base, scope, filter: hasId(server), attributes: personAttributes(server, settings), most }
  yield* orNobody(
    true,
    connection.searchInPages(query, (page) => {
      people.push(...peopleOf(asking, page))
      return people.length >= most
    })
  )
  return [...byId(people).values()].slice(0, most)
})
