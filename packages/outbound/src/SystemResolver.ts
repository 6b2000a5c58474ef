/** Resolves names as the operating system does, without letting names that never resolve use up Node's threads. */
import { Data, Effect, Exit, Fiber, Option, RcMap, Scope, Semaphore } from "effect"
import { lookup, Resolver } from "node:dns/promises"
import { readFile } from "node:fs/promises"
import { isIP } from "node:net"
import { setImmediate as endOfTurn } from "node:timers/promises"

/**
 * Resolves a host name to addresses, as text, or rejects. It may be called at any time. The signal is aborted when no caller waits for
 * the result any more.
 */
export type Resolve = (host: string, signal: AbortSignal) => Promise<ReadonlyArray<string>>

type Addresses = ReadonlyArray<string>

/** A source of names has no address for a name. */
class NameUnknown extends Data.TaggedError("NameUnknown") {}

const HOSTS_FILE =
  process.platform === "win32"
    ? `${process.env.SystemRoot ?? "C:\\Windows"}\\System32\\drivers\\etc\\hosts`
    : "/etc/hosts"

/** The addresses that the text of a hosts file has for a name, in its order. */
export const addressesIn = (text: string, host: string): Addresses =>
  text.split("\n").flatMap((line) => {
    const [address = "", ...names] = line.replace(/#.*/, "").trim().split(/\s+/)
    return isIP(address) !== 0 && names.some((name) => name.toLowerCase() === host.toLowerCase()) ? [address] : []
  })

/** The addresses that this machine's hosts file has for a name. It is read anew, so that a change of it counts at once. */
const inHostsFile = (host: string): Effect.Effect<Addresses> =>
  Effect.map(
    Effect.promise(() => readFile(HOSTS_FILE, "utf8").catch(() => "")),
    (text) => addressesIn(text, host)
  )

/** The addresses that the name servers have for a name. The query takes no thread, and ends when it is interrupted. */
const queryNameServers = (host: string): Effect.Effect<Addresses, NameUnknown> =>
  Effect.tryPromise({
    try: async (signal) => {
      // One for each name: it can be stopped alone, and it reads anew which name servers there are.
      const resolver = new Resolver()
      signal.addEventListener("abort", () => resolver.cancel(), { once: true })
      const answers = await Promise.allSettled([resolver.resolve4(host), resolver.resolve6(host)])
      return answers.flatMap((answer) => (answer.status === "fulfilled" ? answer.value : []))
    },
    catch: () => new NameUnknown()
  }).pipe(
    Effect.filterOrFail(
      (addresses) => addresses.length > 0,
      () => new NameUnknown()
    )
  )

/**
 * Makes the system's lookup, one at a time. A lookup occupies one of the four threads that Node shares with files and cryptography, and
 * cannot be cancelled: it keeps its permit until it ends. Callers with the same name share a lookup, and one that waits for its permit
 * is dropped when its last caller leaves.
 */
export const makeSystemLookup = (): ((host: string) => Effect.Effect<Addresses, NameUnknown>) => {
  const permits = Semaphore.makeUnsafe(1)
  const search = (host: string) =>
    Effect.tryPromise({ try: () => lookup(host, { all: true }), catch: () => new NameUnknown() })
  const lookUp = (host: string) =>
    Effect.uninterruptibleMask((restore) =>
      Effect.gen(function* () {
        yield* restore(permits.take(1))
        const found = yield* Effect.forkDetach(Effect.ensuring(search(host), permits.release(1)))
        return yield* restore(Fiber.join(found))
      })
    )
  const shared = Effect.runSync(Scope.provide(RcMap.make({ lookup: lookUp }), Scope.makeUnsafe()))
  return (host) => Effect.map(Effect.scoped(RcMap.get(shared, host)), (found) => found.map(({ address }) => address))
}

/** How long name servers are waited for before the system is asked as well. */
const ANSWER_WITHIN = "1 second"

/** After a long turn of a busy process the timer comes before the answers that are there already: these are read first. */
const late = Effect.andThen(
  Effect.sleep(ANSWER_WITHIN),
  Effect.promise(() => endOfTurn())
)

/**
 * The system's way from names to addresses: the hosts file, then the name servers, then whatever else it knows names by
 * (search domains, mDNS, NIS), which only its own lookup has.
 *
 * Callers can name any number of servers that never resolve. The system's lookups of these would keep all threads, so most names are
 * resolved without one. Two run at once: one of a name that the name servers do not have, and one of a name that they do not answer
 * for, which may hang. So names of the first kind never wait for those of the second.
 */
export const makeSystemResolver = (): Resolve => {
  const lookUpUnknown = makeSystemLookup()
  const lookUpUnanswered = makeSystemLookup()

  const resolve = Effect.fnUntraced(function* (host: string) {
    const listed = yield* inHostsFile(host)
    if (listed.length > 0) return listed
    const query = yield* Effect.forkChild(queryNameServers(host))
    const answer = yield* Effect.raceFirst(Effect.asSome(Fiber.await(query)), Effect.as(late, Option.none()))
    if (Option.isNone(answer)) return yield* Effect.race(Fiber.join(query), lookUpUnanswered(host))
    return Exit.isSuccess(answer.value) ? answer.value.value : yield* lookUpUnknown(host)
  })
  return (host, signal) => Effect.runPromise(resolve(host), { signal })
}
