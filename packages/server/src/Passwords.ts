import { PasswordHasher, type PasswordHash, type PasswordHashing } from "@sojourn/core"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as Redacted from "effect/Redacted"
import * as Semaphore from "effect/Semaphore"
import { randomBytes, scrypt, timingSafeEqual } from "node:crypto"

/** What scrypt costs: 2^15 * 8 * 128 bytes of memory (32 MiB), three times over (OWASP's recommendation of 2024). */
const COST = { N: 2 ** 15, r: 8, p: 3 } as const
const MOST_MEMORY = 64 * 1024 * 1024
const SALT_BYTES = 16
const KEY_BYTES = 32

/** How many are computed at once: each takes memory and a thread for a tenth of a second. */
const AT_ONCE = 2

const derive = (
  password: string,
  salt: Buffer,
  { N, r, p }: { readonly N: number; readonly r: number; readonly p: number }
) =>
  Effect.callback<Buffer>((resume) => {
    // One password has one spelling, however it was typed (RFC 8265).
    const text = password.normalize("NFC")
    scrypt(text, salt, KEY_BYTES, { N, r, p, maxmem: MOST_MEMORY }, (error, key) =>
      resume(error === null ? Effect.succeed(key) : Effect.die(error))
    )
  })

/** `scrypt$N$r$p$salt$key`: what a hash was made with stands beside it, so that the cost can rise. */
const FORMAT = /^scrypt\$(\d+)\$(\d+)\$(\d+)\$([\w-]+)\$([\w-]+)$/

const make = Effect.map(Semaphore.make(AT_ONCE), (turns): PasswordHashing => {
  const inTurn = <A>(effect: Effect.Effect<A>) => Semaphore.withPermit(turns, effect)
  return {
    hash: (password) =>
      inTurn(
        Effect.suspend(() => {
          const salt = randomBytes(SALT_BYTES)
          return Effect.map(
            derive(Redacted.value(password), salt, COST),
            (key) =>
              `scrypt$${COST.N}$${COST.r}$${COST.p}$${salt.toString("base64url")}$${key.toString("base64url")}` as PasswordHash
          )
        })
      ),
    verify: (password, hash) => {
      const [, N, r, p, salt, key] = FORMAT.exec(hash) ?? []
      if (salt === undefined || key === undefined) return Effect.succeed(false)
      const cost = { N: Number(N), r: Number(r), p: Number(p) }
      return inTurn(
        Effect.map(derive(Redacted.value(password), Buffer.from(salt, "base64url"), cost), (derived) =>
          timingSafeEqual(derived, Buffer.from(key, "base64url"))
        )
      )
    }
  }
})

/** Keeps passwords of administrators as scrypt hashes. */
export const layerPasswords: Layer.Layer<never> = Layer.effect(PasswordHasher, Effect.map(make, Option.some))
