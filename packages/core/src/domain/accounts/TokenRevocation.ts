/** When the tokens of a caller stop working, whoever issued them (spec: accounts#revocation). */
import { sha256 } from "@noble/hashes/sha2.js"
import { utf8ToBytes } from "@noble/hashes/utils.js"
import * as Base64Url from "effect/encoding/Base64Url"
import * as Result from "effect/Result"
import { TaggedError } from "../shared/TaggedError.ts"
import { LARGEST_LEAD, Timestamp } from "../shared/Timestamp.ts"
import { type Caller, nameOfCaller } from "./Caller.ts"

/** The tokens of a caller that were issued before a moment are refused. */
export interface TokenRevocation {
  /** The {@link hashOfCaller}: a revocation outlives what is stored about the caller, and does not name them. */
  readonly callerHash: string
  readonly issuedBefore: Timestamp
}

/** The moment lies so far ahead that tokens which are issued from now on would be refused as well. */
export class RevocationInFuture extends TaggedError(
  "RevocationInFuture",
  "the moment of the revocation is too far in the future"
)<{ readonly issuedBefore: Timestamp }> {}

/** A hash of the caller's kind and id. */
export const hashOfCaller = (caller: Caller): string => Base64Url.encode(sha256(utf8ToBytes(nameOfCaller(caller))))

/** The revocation of a caller's tokens that were issued before a moment, which is at most {@link LARGEST_LEAD} ahead. */
export const revocationOf = (
  caller: Caller,
  issuedBefore: Timestamp,
  now: Timestamp
): Result.Result<TokenRevocation, RevocationInFuture> =>
  issuedBefore > now + LARGEST_LEAD
    ? Result.fail(new RevocationInFuture({ issuedBefore }))
    : Result.succeed({ callerHash: hashOfCaller(caller), issuedBefore })

/**
 * Whether a token is refused that says in its claim `iat` to be issued at `issuedAt`, in seconds; undefined: it does not say. Issuers write
 * whole seconds: one that was issued within the second of the revocation is refused, also after it.
 */
export const isIssuedBefore = (issuedAt: number | undefined, { issuedBefore }: TokenRevocation): boolean =>
  issuedAt === undefined || issuedAt * 1_000 < issuedBefore

/** The moment from which on the `iat` of each new token, in whole seconds, is not before a revocation. */
export const wholeSecondAfter = (issuedBefore: Timestamp): Timestamp =>
  Timestamp(Math.ceil(issuedBefore / 1_000) * 1_000)
