/** Checks the URLs that keys are loaded from. */
import { Result } from "effect"
import * as Url from "effect/http/Url"

const LOOPBACK = /^(localhost|127(\.\d{1,3}){3}|\[::1\])$/

/** Where `http` is allowed: never, on loopback addresses, or anywhere. */
export type AllowHttp = "never" | "loopback" | "anywhere"

/**
 * Parses an absolute `https` URL and returns it normalized, without a fragment. `http` is accepted only where allowed, because
 * an attacker on the network could replace the keys. Fails with a description, also for a user name or password in the URL.
 */
export const parse = (address: string, allowHttp: AllowHttp): Result.Result<string, string> => {
  const parsed = Url.fromString(address)
  if (Result.isFailure(parsed)) return Result.fail("is not an absolute address")
  const { protocol, hostname, username, password, href } = parsed.success
  const isFine =
    protocol === "https:" ||
    (protocol === "http:" && (allowHttp === "anywhere" || (allowHttp === "loopback" && LOOPBACK.test(hostname))))
  if (!isFine) return Result.fail("must be https: over http an attacker could send other keys")
  if (username !== "" || password !== "") return Result.fail("must not hold a user name or password")
  return Result.succeed(href.replace(/#.*$/, ""))
}

/** Whether the URL's scheme is `https`. */
export const isHttps = (address: string): boolean => address.startsWith("https:")
