/** Checks step by step whether a directory can be used, for operators before an organization relies on it. */
import type { AuthenticationServerUrl } from "@sojourn/core"
import { Data, Effect, Option, type Scope } from "effect"
import { PresenceFilter } from "ldapts"
import type { TLSSocket } from "node:tls"
import { converse, type OperationFailure } from "./Connection.ts"
import type { NoAnswer } from "./Failures.ts"
import { hasId, idAttributes, idOf, withoutAliases } from "./PersonEntries.ts"
import { connectionContextOf } from "./LdapDirectory.ts"
import type { InvalidOptions, Options } from "./Options.ts"
import { type NotSucceeded, ofLookup, ofServiceBind } from "./ResultCodes.ts"
import { locate, protect, reach, requireReachable, type ConnectionContext } from "./SecuredConnection.ts"
import { keyOf } from "./Settings.ts"

/** The encryption of a connection. */
export type Encryption =
  | {
      readonly _tag: "Tls"
      /** As Node calls it: `TLSv1.3`. */
      readonly protocol: string
      /** The names in the server's certificate: common name and alternative names. */
      readonly subject: string
      readonly issuer: string
      /** When the certificate expires, ISO 8601 in UTC. */
      readonly expires: string
    }
  | { readonly _tag: "Plaintext" }

/** The steps of a probe, in order. A failed step ends the probe. */
export type Step = "policy" | "address" | "connection" | "encryption" | "bind" | "base" | "people"

/** The findings about a server up to the first failed step. They contain no secrets and no personal data. */
export interface Report {
  /** The server as `scheme://host:port`. */
  readonly server: string
  readonly base: string
  readonly idAttribute: string
  readonly scope: AuthenticationServerUrl["scope"]
  /** The account that looks people up. With `bind template` people bind first, and the later steps are anonymous. */
  readonly finder: "service account" | "anonymous" | "bind template"
  readonly isAllowed: boolean
  /** All addresses of the server's name. */
  readonly addresses: ReadonlyArray<string>
  /** The one that answered. */
  readonly connectedTo?: string
  readonly encryption?: Encryption
  /** Whether the service account could bind; `true` without one. */
  readonly isBound?: boolean
  /** Whether the finder can read the URL's base. */
  readonly isBaseFound?: boolean
  /** People with the id attribute below the base, as the finder sees them, aliases aside: 1,000 at most. */
  readonly people?: number
  /** Whether there are more. */
  readonly areMore?: boolean
  /** How many of these people have exactly one valid id, and so can be linked. */
  readonly peopleWithOneId?: number
  /** The first step that failed, and why in plain words. */
  readonly problem?: { readonly step: Step; readonly reason: string }
}

/** A step failed, which ends the probe. */
class Stopped extends Data.TaggedError("Stopped")<NonNullable<Report["problem"]>> {}

const describe = (socket: TLSSocket | undefined): Encryption => {
  if (socket === undefined) return { _tag: "Plaintext" }
  const { subject, subjectaltname, issuer, valid_to } = socket.getPeerCertificate()
  const named = (...names: ReadonlyArray<string | ReadonlyArray<string> | undefined>) =>
    names
      .flat()
      .filter((name) => name !== undefined)
      .join("; ")
  return {
    _tag: "Tls",
    protocol: socket.getProtocol() ?? "",
    subject: named(subject.CN, subjectaltname),
    issuer: named(issuer.O, issuer.CN),
    expires: new Date(valid_to).toISOString()
  }
}

/** Runs a step. `meaning` maps unsuccessful LDAP results to failures. */
const take = <A, R>(
  step: Step,
  effect: Effect.Effect<A, OperationFailure, R>,
  meaning: (result: NotSucceeded) => NoAnswer = ofLookup
): Effect.Effect<A, Stopped, R> =>
  Effect.mapError(effect, (failure) => {
    const known = failure._tag === "NotSucceeded" ? meaning(failure) : failure
    const reason = known._tag === "DirectoryTimeout" ? "there was no answer in time" : known.reason
    return new Stopped({ step, reason })
  })

/** Runs all steps and reports the findings of each. */
const steps = Effect.fnUntraced(function* (
  server: AuthenticationServerUrl,
  context: ConnectionContext,
  tell: (facts: Partial<Report>) => void
): Effect.fn.Return<void, Stopped, Scope.Scope> {
  const { base, scope } = server
  const { limits, of } = context.settings
  const { serviceAccount } = of(server)

  yield* take("policy", requireReachable(server, context.policy))
  tell({ isAllowed: true })
  const destination = yield* take("address", locate(server, context))
  tell({ addresses: destination.addresses })
  const socket = yield* take("connection", reach(destination, context))
  tell(socket.remoteAddress === undefined ? {} : { connectedTo: socket.remoteAddress })
  const secured = yield* take("encryption", protect(socket, server, context))
  tell({ encryption: describe(secured) })

  const connection = yield* converse(secured ?? socket, limits, limits.mostPeople)
  if (serviceAccount !== undefined) {
    yield* take("bind", connection.bind(serviceAccount.dn, serviceAccount.password), ofServiceBind)
  }
  tell({ isBound: true })

  const isThere = new PresenceFilter({ attribute: "objectClass" })
  const itself = { base, scope: "base", filter: isThere, attributes: ["1.1"], most: 1 } as const
  const { entries } = yield* take("base", connection.search(itself))
  tell({ isBaseFound: entries.length > 0 })
  if (entries.length === 0) return yield* new Stopped({ step: "base", reason: "the URL's base may not be read" })

  let people = 0
  let peopleWithOneId = 0
  const search = { base, scope, filter: hasId(server), attributes: idAttributes(server), most: limits.mostPeople }
  const isComplete = yield* take(
    "people",
    connection.searchInPages(search, (page) => {
      const found = withoutAliases(page)
      people += found.length
      peopleWithOneId += found.filter((entry) => Option.isSome(idOf(entry, server))).length
      return people >= limits.mostPeople
    })
  )
  tell({ people, peopleWithOneId, areMore: !isComplete })
})

/**
 * Checks step by step whether a server can be used, binding only as the service account. It is for operators, before an
 * organization relies on the server. Problems of the server are in the report.
 *
 * A readable base and more than zero people mean that people can be looked up. A bind template does not need that, so problems
 * in `base` and `people` may then be harmless.
 *
 * It ends within `limits.total`. Fails with `InvalidOptions`.
 */
export const probe = Effect.fnUntraced(function* (
  server: AuthenticationServerUrl,
  options: Options = {}
): Effect.fn.Return<Report, InvalidOptions> {
  const context = yield* connectionContextOf(options)
  const { limits, of } = context.settings
  const { bindTemplate, serviceAccount } = of(server)
  const found: { report: Report } = {
    report: {
      server: keyOf(server),
      base: server.base,
      idAttribute: server.idAttribute,
      scope: server.scope,
      finder:
        bindTemplate !== undefined ? "bind template" : serviceAccount !== undefined ? "service account" : "anonymous",
      isAllowed: false,
      addresses: []
    }
  }
  const tell = (facts: Partial<Report>) => {
    found.report = { ...found.report, ...facts }
  }
  return yield* steps(server, context, tell).pipe(
    Effect.scoped,
    Effect.timeoutOrElse({
      duration: limits.total,
      orElse: () => Effect.fail(new Stopped({ step: nextStep(found.report), reason: "there was no answer in time" }))
    }),
    Effect.catchTag("Stopped", (problem) =>
      Effect.sync(() => tell({ problem: { step: problem.step, reason: problem.reason } }))
    ),
    Effect.map(() => found.report)
  )
})

/** The step that follows the findings of a report. */
const nextStep = (report: Report): Step => {
  if (report.addresses.length === 0) return "address"
  if (report.connectedTo === undefined) return "connection"
  if (report.encryption === undefined) return "encryption"
  if (report.isBound === undefined) return "bind"
  return report.isBaseFound === undefined ? "base" : "people"
}
