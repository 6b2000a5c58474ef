/** Laws of `StorageIdentity`: one for each storage, whoever reads it. */
import {
  ExitTokens,
  layerSecretKeys,
  OrganizationId,
  OrganizationPremises,
  StayId,
  StorageIdentity,
  Timestamp,
  UserId,
  WebhookId,
  WebhookSecrets
} from "@sojourn/core"
import { assert, describe, it } from "@effect/vitest"
import { Effect, Layer, Option, Redacted, type Scope } from "effect"
import { same } from "../shared/outcome.ts"
import { type Laws, suite } from "../shared/suite.ts"

const laws: Laws<StorageIdentity> = (it) => {
  it("the identity of a storage is the same whenever it is read", function* () {
    const { read } = yield* StorageIdentity
    const first = yield* read
    assert.isAtLeast(first.length, 32)
    same(yield* read, first)
  })
}

/** The laws of `StorageIdentity`. */
export const storageIdentityLaws = suite<StorageIdentity>("StorageIdentity", [laws])

const organizationId = OrganizationId.make(1n)
const premises = OrganizationPremises(organizationId)
const keys = [1, 2].map((id) => ({ id, secret: Redacted.make(new Uint8Array(32).fill(id)) }))

/** What is derived with the same keys for the first stay and the first webhook of a storage. */
const derivedOn = <E>(storage: Layer.Layer<StorageIdentity, E>) =>
  Effect.gen(function* () {
    const tokens = yield* yield* ExitTokens
    const secrets = yield* yield* WebhookSecrets
    const webhook = { webhookId: WebhookId.make(1n), organizationId, creationDate: Timestamp(0) }
    return {
      tokens,
      ofStay: keys.map(({ id }) =>
        Option.getOrThrow(tokens.derive(id, premises, { organizationId, stayId: StayId.make(1n) }))
      ),
      retryKey: tokens.retryKey(UserId.make("user"), premises, "key"),
      accessId: tokens.accessIds([StayId.make(1n)])[0],
      secrets: keys.map(({ id }) =>
        String(Redacted.value(Option.getOrThrow(secrets.derive(webhook, { keyId: id, number: 0 }))))
      )
    }
  }).pipe(Effect.provide(Layer.provide(layerSecretKeys(keys), Layer.fresh(storage))))

/** The law of two new storages, such as two databases, or two schemas of one: they share nothing that is derived with the same keys. */
export const separateStoragesLaw = <E, E2>(
  name: string,
  two: Effect.Effect<readonly [Layer.Layer<StorageIdentity, E>, Layer.Layer<StorageIdentity, E>], E2, Scope.Scope>
): void => {
  describe(`${name}: StorageIdentity`, () => {
    it.live("of two storages with the same keys none knows what was derived for the other", () =>
      Effect.gen(function* () {
        const [one, other] = yield* Effect.flatMap(two, (storages) => Effect.forEach(storages, derivedOn))
        for (const [mine, theirs] of [
          [one!, other!],
          [other!, one!]
        ] as const) {
          for (const token of mine.ofStay) {
            assert.isTrue(Option.isSome(mine.tokens.recognize(premises, token)))
            assert.isTrue(Option.isNone(theirs.tokens.recognize(premises, token)))
            assert.notDeepEqual(theirs.tokens.locate(token), mine.tokens.locate(token))
            assert.notInclude(theirs.ofStay, token)
          }
          for (const secret of mine.secrets) assert.notInclude(theirs.secrets, secret)
        }
        assert.notStrictEqual(one!.retryKey, other!.retryKey)
        assert.notStrictEqual(one!.accessId, other!.accessId)
      }).pipe(Effect.scoped)
    )
  })
}
