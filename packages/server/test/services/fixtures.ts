/** Callers, organizations and a password hasher for tests of use cases. */
import { layerStores } from "@sojourn/adapter-memory"
import {
  Administrator,
  AdministratorId,
  layerSecretKeysEphemeral,
  Mail,
  Operator,
  OperatorId,
  OrganizationDirectory,
  Organizations,
  type PasswordHash,
  PasswordHasher,
  type PasswordHashing,
  Places,
  WebhookReceivers,
  Webhooks,
  WebhookSender
} from "@sojourn/core"
import { rectangleArea, wholeGrid } from "@sojourn/testing"
import { Effect, Layer, Option, Redacted } from "effect"
import { createHmac, randomUUID } from "node:crypto"

export const AREA = rectangleArea(wholeGrid(2)).text
export const OPERATOR = Operator(OperatorId.make("operator"))
export const SERVER = "ldaps://directory.example.org/dc=example?uid?sub"

/** An administrator with a mail address. */
export const administrator = (name: string) =>
  Administrator(AdministratorId.make(name), Mail.make(`${name}@example.org`))
export const OWNER = administrator("owner")

/** Creates an organization of the owner, with an allowed authentication server. */
export const anOrganization = (trackingMode: "anonymous" | "authenticated") =>
  Organizations.use((organizations) =>
    organizations.create(
      OPERATOR,
      { name: `${trackingMode} people`, trackingMode, trackingArea: AREA, authenticationServerURL: SERVER },
      { administratorId: OWNER.administratorId, mail: OWNER.mail! }
    )
  )

/** Creates an organization with anonymous tracking. */
export const anAnonymousOrganization = (
  name: string,
  { administratorId, mail }: { readonly administratorId: AdministratorId; readonly mail?: Mail | undefined } = OWNER
) =>
  Organizations.use((organizations) =>
    organizations.create(
      OPERATOR,
      { name, trackingMode: "anonymous", trackingArea: AREA },
      { administratorId, mail: mail! }
    )
  )

/** Authentication servers that no use case of a test may query. */
export const layerNoDirectory = Layer.succeed(OrganizationDirectory, {
  authenticate: () => Effect.die("the authentication server was queried"),
  information: () => Effect.die("the authentication server was queried")
})

/** The use cases of webhooks and of organizations and places, which have events, over a sender. */
export const layerSendingTo = (sender: WebhookSender["Service"]) =>
  Layer.mergeAll(Webhooks.layer, Organizations.layer, Places.layer).pipe(
    Layer.provideMerge([
      layerStores,
      layerSecretKeysEphemeral,
      Layer.succeed(WebhookReceivers, { allow: [] }),
      Layer.succeed(WebhookSender, sender)
    ])
  )

/** A password hasher that takes little time and counts its calls. */
export const countingHasher = () => {
  const calls = { hash: 0, verify: 0 }
  const digest = (salt: string, password: Redacted.Redacted<string>) =>
    `${salt}$${createHmac("sha256", salt).update(Redacted.value(password)).digest("hex")}` as PasswordHash
  const hashing: PasswordHashing = {
    hash: (password) =>
      Effect.sync(() => {
        calls.hash++
        return digest(randomUUID(), password)
      }),
    verify: (password, hash) =>
      Effect.sync(() => {
        calls.verify++
        return digest(hash.split("$")[0]!, password) === hash
      }),
    dummy: "$" as PasswordHash
  }
  return { calls, layer: Layer.succeed(PasswordHasher, Option.some(hashing)) }
}

/** The credentials of an account of a directory. */
export const credentials = (username = "ada", password = "secret") => ({ username, password: Redacted.make(password) })
