/** Core's `PasswordHasher` by scrypt. Only a server with an issuer of its own has passwords. */
import { type HashingRequester, PasswordHasher, type PasswordHash, type PasswordHashing } from "@sojourn/core"
import { Context, Effect, Layer, Option, Redacted } from "effect"
import { randomBytes, scrypt, timingSafeEqual } from "node:crypto"
import { FairQueue } from "./FairQueue.ts"

/** The cost parameters of scrypt (RFC 7914): a hash takes N * r * 128 bytes of memory, p times over. */
export interface ScryptCost {
  readonly N: number
  readonly r: number
  readonly p: number
}

/** The cost of new hashes: 32 MiB of memory, three times over (OWASP's recommendation of 2024). */
export const PasswordCost = Context.Reference<ScryptCost>("@sojourn/service/PasswordCost", {
  defaultValue: () => ({ N: 2 ** 15, r: 8, p: 3 })
})

const MAX_MEMORY_BYTES = 64 * 1024 * 1024
const SALT_BYTES = 16
const KEY_BYTES = 32

/** How many hashes are computed at once: each takes memory and a thread for a tenth of a second. */
const AT_ONCE = 2

/** How many requests may wait for a hash: they count as in flight, and the last one waits for some seconds. */
const MAX_WAITING_HASHES = 32

const derive = (password: string, salt: Buffer, { N, r, p }: ScryptCost) =>
  Effect.callback<Buffer>((resume) => {
    // Normalizes the spelling, so that a password is the same on every keyboard (RFC 8265).
    const text = password.normalize("NFC")
    scrypt(text, salt, KEY_BYTES, { N, r, p, maxmem: MAX_MEMORY_BYTES }, (error, key) =>
      resume(error === null ? Effect.succeed(key) : Effect.die(error))
    )
  })

/** The format `scrypt$N$r$p$salt$key`: each hash names its parameters, so that the cost can be raised. */
const FORMAT = /^scrypt\$(\d{1,6})\$(\d{1,2})\$(\d{1,2})\$([\w-]+)\$([\w-]{43})$/

const format = ({ N, r, p }: ScryptCost, salt: Buffer, key: Buffer) =>
  ["scrypt", N, r, p, salt.toString("base64url"), key.toString("base64url")].join("$") as PasswordHash

/** Hashes passwords by scrypt, a few at once, while a few more wait. */
export const makePasswordHashing: Effect.Effect<PasswordHashing> = Effect.map(PasswordCost, (cost) => {
  const queue = new FairQueue(AT_ONCE, MAX_WAITING_HASHES)
  // A hash that is being computed cannot be interrupted: it keeps its slot when its client is gone.
  const inTurn = (requester: HashingRequester, derived: Effect.Effect<Buffer>) =>
    queue.run(requester, Effect.uninterruptible(derived))
  return {
    hash: (password, requester) =>
      Effect.suspend(() => {
        const salt = randomBytes(SALT_BYTES)
        const derived = inTurn(requester, derive(Redacted.value(password), salt, cost))
        return Effect.map(derived, (key) => format(cost, salt, key))
      }),
    verify: (password, hash, requester) => {
      const [, N, r, p, salt, key] = FORMAT.exec(hash) ?? []
      if (salt === undefined || key === undefined) return Effect.succeed(false)
      const ofHash = { N: Number(N), r: Number(r), p: Number(p) }
      const derived = inTurn(requester, derive(Redacted.value(password), Buffer.from(salt, "base64url"), ofHash))
      return Effect.map(derived, (derivedKey) => timingSafeEqual(derivedKey, Buffer.from(key, "base64url")))
    },
    // Finding a password with this key is computationally infeasible.
    dummy: format(cost, randomBytes(SALT_BYTES), randomBytes(KEY_BYTES))
  }
})

/** Hashes and verifies passwords of administrators by scrypt. */
export const layerPasswords: Layer.Layer<never> = Layer.effect(
  PasswordHasher,
  Effect.map(makePasswordHashing, Option.some)
)
