import type { AuthenticationServerUrl } from "@sojourn/core"

/** How the conversation is kept from others. */
export type Encryption =
  | {
      readonly _tag: "Tls"
      /** As Node calls it: `TLSv1.3`. */
      readonly protocol: string
      /** The names in the server's certificate: its subject's common name, and whom it is for. */
      readonly subject: string
      readonly issuer: string
      /** When the certificate expires, ISO 8601 in UTC. */
      readonly expires: string
    }
  | { readonly _tag: "Plaintext" }

/** The steps of a probe, in their order. Where one fails the later ones are not taken. */
export type Step = "policy" | "address" | "connection" | "encryption" | "bind" | "base" | "people"

/** What was found out about a server, up to the first step that failed. Nothing in it is a secret or about a person. */
export interface Report {
  /** The server as `scheme://host:port`. */
  readonly server: string
  readonly base: string
  readonly idAttribute: string
  readonly scope: AuthenticationServerUrl["scope"]
  /** Who looks people up there. With `bind template` they sign in first, and the later steps are taken anonymously. */
  readonly finder: "service account" | "anonymous" | "bind template"
  readonly isAllowed: boolean
  /** All addresses of the server's name. */
  readonly addresses: ReadonlyArray<string>
  /** The one that answered. */
  readonly connectedTo?: string
  readonly encryption?: Encryption
  /** Did the service account sign in? `true` where there is none. */
  readonly isBound?: boolean
  /** Is the URL's base there, for the finder? */
  readonly isBaseFound?: boolean
  /** People with the id attribute below the base, as the finder sees them, aliases aside: 1,000 at most. */
  readonly people?: number
  /** Are there more? */
  readonly areMore?: boolean
  /** How many of these people have one id that can be used: they can be linked. */
  readonly peopleWithOneId?: number
  /** The first step that failed, and why in plain words. */
  readonly problem?: { readonly step: Step; readonly reason: string }
}
