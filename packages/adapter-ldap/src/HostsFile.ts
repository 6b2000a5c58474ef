import { readFile } from "node:fs/promises"
import { isIP } from "node:net"

const FILE =
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
export const inHostsFile = async (host: string): Promise<ReadonlyArray<string>> =>
  addressesIn(await readFile(FILE, "utf8").catch(() => ""), host)
