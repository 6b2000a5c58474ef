import { type AuthenticationServerUrl, type DirectoryTimeout, type DirectoryUnreachable } from "@sojourn/core"
import * as Data from "effect/Data"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import type * as Scope from "effect/Scope"
import { PresenceFilter } from "ldapts"
import type { TLSSocket } from "node:tls"
import { converse, type OperationFailure } from "./Connection.ts"
import { idAttributes, idOf, withoutAliases } from "./Entries.ts"
import { surroundingsOf } from "./LdapDirectory.ts"
import type { InvalidOptions, Options } from "./Options.ts"
import { hasId } from "./Proof.ts"
import { requireReachable } from "./Reach.ts"
import type { Encryption, Report, Step } from "./Report.ts"
import { type NotSucceeded, ofLookup, ofServiceBind } from "./Results.ts"
import { locate, protect, reach, type Surroundings } from "./Session.ts"
import { keyOf } from "./Settings.ts"

export type { Encryption, Report, Step } from "./Report.ts"

/** A step failed, and no other is taken. */
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

/** Takes a step. What its results mean is in `meaning`, where it gets any. */
const take = <A, R>(
  step: Step,
  effect: Effect.Effect<A, OperationFailure, R>,
  meaning: (result: NotSucceeded) => DirectoryUnreachable | DirectoryTimeout = ofLookup
): Effect.Effect<A, Stopped, R> =>
  Effect.mapError(effect, (failure) => {
    const known = failure._tag === "NotSucceeded" ? meaning(failure) : failure
    const reason = known._tag === "DirectoryTimeout" ? "there was no answer in time" : known.reason
    return new Stopped({ step, reason })
  })

/** Takes all steps, and tells of each what it found. */
const steps = Effect.fnUntraced(function* (
  server: AuthenticationServerUrl,
  surroundings: Surroundings,
  tell: (facts: Partial<Report>) => void
): Effect.fn.Return<void, Stopped, Scope.Scope> {
  const { base, scope } = server
  const { limits, of } = surroundings.settings
  const { serviceAccount } = of(server)

  yield* take("policy", requireReachable(server, surroundings.policy))
  tell({ isAllowed: true })
  const destination = yield* take("address", locate(server, surroundings))
  tell({ addresses: destination.addresses })
  const socket = yield* take("connection", reach(destination, surroundings))
  tell(socket.remoteAddress === undefined ? {} : { connectedTo: socket.remoteAddress })
  const secured = yield* take("encryption", protect(socket, server, surroundings))
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
  const everybody = { base, scope, filter: hasId(server), attributes: idAttributes(server), most: limits.mostPeople }
  const isComplete = yield* take(
    "people",
    connection.searchInPages(everybody, (page) => {
      const found = withoutAliases(page)
      people += found.length
      peopleWithOneId += found.filter((entry) => Option.isSome(idOf(entry, server))).length
      return people >= limits.mostPeople
    })
  )
  tell({ people, peopleWithOneId, areMore: !isComplete })
})

/**
 * Tries whether a server can be used, step by step, without signing in as anybody but the service account. An operator asks
 * for this before an organization relies on the server. Whatever is wrong with the server is in the report, in words.
 *
 * A base that can be read and a number of people above zero mean that people can be looked up. With a bind template they
 * need not be: then `base` and `people` may name a problem that is none.
 *
 * It takes the time of `limits.total` at most. Fails with `InvalidOptions`.
 */
export const probe = Effect.fnUntraced(function* (
  server: AuthenticationServerUrl,
  options: Options = {}
): Effect.fn.Return<Report, InvalidOptions> {
  const surroundings = yield* surroundingsOf(options)
  const { limits, of } = surroundings.settings
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
  return yield* steps(server, surroundings, tell).pipe(
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

/** The step that was being taken when a report was like this. */
const nextStep = (report: Report): Step => {
  if (report.addresses.length === 0) return "address"
  if (report.connectedTo === undefined) return "connection"
  if (report.encryption === undefined) return "encryption"
  if (report.isBound === undefined) return "bind"
  return report.isBaseFound === undefined ? "base" : "people"
}
