/** The directory service of a composition without directories: every server is unreachable. */
import { assert, it } from "@effect/vitest"
import { Effect, Redacted, Result } from "effect"
import { OrganizationDirectory, parseAuthenticationServerUrl } from "../../../src/index.ts"

it.effect("a service without directories reaches none, whatever its URL", () =>
  Effect.gen(function* () {
    const { authenticate, information } = yield* OrganizationDirectory
    const url = Result.getOrThrow(parseAuthenticationServerUrl("ldaps://directory.example.org/dc=example"))
    const credentials = { username: "ada", password: Redacted.make("secret") }
    assert.strictEqual((yield* Effect.flip(authenticate(url, credentials)))._tag, "DirectoryUnreachable")
    assert.strictEqual((yield* Effect.flip(information(url, credentials, "everyone")))._tag, "DirectoryUnreachable")
  }).pipe(Effect.provide(OrganizationDirectory.layerNone))
)
