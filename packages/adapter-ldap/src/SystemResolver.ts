/** Resolves names as the operating system does, without letting names that never resolve use up Node's threads. */
import { Resolver } from "node:dns/promises"
import { readFile } from "node:fs/promises"
import { isIP } from "node:net"
import { setImmediate as turn, setTimeout as sleep } from "node:timers/promises"
import { makeLookupQueue } from "./LookupQueue.ts"
import type { Resolve } from "./Options.ts"

const HOSTS_FILE =
  process.platform === "win32"
    ? `${process.env.SystemRoot ?? "C:\\Windows"}\\System32\\drivers\\etc\\hosts`
    : "/etc/hosts"

/** The addresses that the text of a hosts file has for a name, in its order. */
export const addressesIn = (text: string, host: string): ReadonlyArray<string> =>
  text.split("\n").flatMap((line) => {
    const [address = "", ...names] = line.replace(/#.*/, "").trim().split(/\s+/)
    return isIP(address) !== 0 && names.some((name) => name.toLowerCase() === host.toLowerCase()) ? [address] : []
  })

/** The addresses that this machine's hosts file has for a name. It is read anew, so that a change of it counts at once. */
const inHostsFile = async (host: string): Promise<ReadonlyArray<string>> =>
  addressesIn(await readFile(HOSTS_FILE, "utf8").catch(() => ""), host)

/** How long name servers are waited for before the system is asked as well, in milliseconds. */
const MOMENT = 1000

/** The addresses that the name servers have for a name. It takes no thread, and ends with the signal. */
const askNameServers: Resolve = async (host, signal) => {
  signal.throwIfAborted()
  // One for each name: it can be stopped alone, and it reads anew which name servers there are.
  const resolver = new Resolver()
  const stop = () => resolver.cancel()
  signal.addEventListener("abort", stop, { once: true })
  const answers = await Promise.allSettled([resolver.resolve4(host), resolver.resolve6(host)])
  const addresses = answers.flatMap((answer) => (answer.status === "fulfilled" ? answer.value : []))
  if (addresses.length === 0) throw new Error("the name servers have no address")
  return addresses
}

/**
 * The system's way from names to addresses: the hosts file, then the name servers, then whatever else it knows names by
 * (search domains, mDNS, NIS), which only its own look-up can tell.
 *
 * Owners can set any number of names that never resolve. The system's look-ups of these would keep the few threads that there
 * are, so most names are found without one. Two are made at once: one of a name that the name servers do not have, and one of
 * a name that they say nothing of, which may well hang. So names of the first kind never wait for those of the second.
 */
export const makeSystemResolver = (): Resolve => {
  const ofUnknown = makeLookupQueue()
  const ofUnanswered = makeLookupQueue()

  return async (host, signal) => {
    const listed = await inHostsFile(host)
    if (listed.length > 0) return listed
    const found = new AbortController()
    const ended = AbortSignal.any([signal, found.signal])
    try {
      const asked = askNameServers(host, ended)
      const settled = asked.then(
        () => true,
        () => true
      )
      // After a long moment of a busy process the timer comes before the answers that are there already: these are read first.
      const late = sleep(MOMENT, undefined, { signal: ended }).then(() => turn(false))
      const isAnswered = await Promise.race([settled, late])
      return isAnswered
        ? await asked.catch(() => ofUnknown(host, ended))
        : await Promise.any([asked, ofUnanswered(host, ended)])
    } finally {
      found.abort()
    }
  }
}
