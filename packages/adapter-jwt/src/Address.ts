import * as Result from "effect/Result"
import * as Url from "effect/http/Url"

const LOOPBACK = /^(localhost|127(\.\d{1,3}){3}|\[::1\])$/

/** Where `http` is fine: nowhere, on this machine, or anywhere. */
export type AllowHttp = "never" | "loopback" | "anywhere"

/**
 * The address in its normal form, without a fragment. Fails with what is wrong with it: it must be absolute, `https` (or
 * `http` where allowed: over http anybody on the way could send other keys), and without a user name or password.
 */
export const parse = (address: string, allowHttp: AllowHttp): Result.Result<string, string> => {
  const parsed = Url.fromString(address)
  if (Result.isFailure(parsed)) return Result.fail("is not an absolute address")
  const { protocol, hostname, username, password, href } = parsed.success
  const isFine =
    protocol === "https:" ||
    (protocol === "http:" && (allowHttp === "anywhere" || (allowHttp === "loopback" && LOOPBACK.test(hostname))))
  if (!isFine) return Result.fail("must be https: over http anybody could send other keys")
  if (username !== "" || password !== "") return Result.fail("must not hold a user name or password")
  return Result.succeed(href.replace(/#.*$/, ""))
}

/** Is what this address answers protected on its way? */
export const isHttps = (address: string): boolean => address.startsWith("https:")
