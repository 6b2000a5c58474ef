import type { AuthenticationServerPolicy } from "@sojourn/core"
import type { Resolve } from "@sojourn/outbound"
import { Data, type Duration, type Redacted } from "effect"

/** The account that searches for people. Its password is sent only to the server that it is configured for. */
export interface ServiceAccount {
  /** Its distinguished name. */
  readonly dn: string
  readonly password: Redacted.Redacted<string>
}

/**
 * Whether TLS is requested on `ldap://` connections before any other operation:
 *
 * - `required`: TLS, or the connection is closed. An attacker on the network cannot prevent TLS unnoticed.
 * - `offered`: TLS if the server supports it, else plaintext. An attacker on the network can suppress the offer.
 * - `never`: plaintext.
 *
 * Once TLS begins it must succeed: after an invalid certificate there is no fallback to plaintext.
 */
export type StartTls = "required" | "offered" | "never"

/** How people are found and named on one server. */
export interface ServerOptions {
  /** The server, as the operator's list has it: `scheme://host[:port]`. */
  readonly server: string
  /**
   * The base of the URLs that this is for, as they write it, decoded: `ou=people,dc=example,dc=org` (default: every URL of
   * the server that has no options of its own). It tells organizations that share a server apart.
   */
  readonly base?: string | undefined
  /** Looks people up (default: they are looked up anonymously). */
  readonly serviceAccount?: ServiceAccount | undefined
  /**
   * Makes a person's distinguished name from the username, so that no search is needed before the bind:
   * `uid={username},ou=people,dc=example,dc=org`, with `{username}` as one whole value (default: people are looked up).
   */
  readonly bindTemplate?: string | undefined
  /** Default: that of {@link Options}. */
  readonly startTls?: StartTls | undefined
  /** Default: that of {@link Options}. */
  readonly nameAttribute?: string | undefined
  /** Default: that of {@link Options}. */
  readonly surnameAttribute?: string | undefined
}

/** Limits of time, answer size and concurrency for each directory. */
export interface Limits {
  /** For finding the server's address and connecting to it, and again for TLS: 1 millisecond to 1 minute (default 5 seconds). */
  readonly connect?: Duration.Input | undefined
  /** For each bind and each search: 1 millisecond to 1 minute (default 5 seconds). */
  readonly operation?: Duration.Input | undefined
  /** For a whole question, including its wait for a connection: 1 millisecond to 5 minutes (default 15 seconds). */
  readonly total?: Duration.Input | undefined
  /** How many people `everyone` answers: 1 to 1,000 (default 1,000). */
  readonly mostPeople?: number | undefined
  /**
   * Everything that one connection may answer, in bytes: 4,096 to 67,108,864 (default 4,194,304). It is less where few people are
   * asked for: 64 KiB, and 4 KiB for each of them.
   */
  readonly largestAnswer?: number | undefined
  /** Connections to one server at once: 1 to 1,000 (default 8). */
  readonly connectionsPerServer?: number | undefined
  /** Questions that wait for one of these connections; further ones fail at once: 0 to 10,000 (default 64). */
  readonly waitingPerServer?: number | undefined
}

/** Which servers are reached, and how. */
export interface Options {
  /** Which servers the service may reach (default: core's `AuthenticationServers`). */
  readonly policy?: AuthenticationServerPolicy | undefined
  /** Servers that need more than their URL says. */
  readonly servers?: ReadonlyArray<ServerOptions> | undefined
  /** Certificates of authorities to trust besides those of Node, as PEM; each text may hold several. */
  readonly certificates?: ReadonlyArray<string> | undefined
  /** For `ldap://` servers (default `offered`). */
  readonly startTls?: StartTls | undefined
  /** Holds a person's name (default `givenName`). */
  readonly nameAttribute?: string | undefined
  /** Holds a person's surname (default `sn`). */
  readonly surnameAttribute?: string | undefined
  readonly limits?: Limits | undefined
  /** How names become addresses (default: the system's way). Each of the addresses is checked. */
  readonly resolve?: Resolve | undefined
}

/** The options cannot be used; `reason` says which one and why, and holds no password. */
export class InvalidOptions extends Data.TaggedError("InvalidOptions")<{ readonly reason: string }> {
  override get message(): string {
    return this.reason
  }
}
