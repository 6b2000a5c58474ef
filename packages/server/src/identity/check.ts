/** The checks of `sojourn check-identity`, and the lines that it prints about an issuer or a directory. */
import { DirectoryProbe, type Options } from "@sojourn/adapter-ldap"
import { Oidc } from "@sojourn/adapter-jwt"
import type { AuthenticationServerUrl } from "@sojourn/core"
import { Effect } from "effect"
import * as FetchHttpClient from "effect/http/FetchHttpClient"
import { StartupError } from "@sojourn/service"

/** What was found out about an issuer or a directory, in plain words. */
export interface Finding {
  readonly isFine: boolean
  readonly lines: ReadonlyArray<string>
}

const keysOf = (facts: Oidc.Facts): string => {
  if (facts.keys._tag !== "Ok") return "keys: not read"
  const algorithms = [...new Set(facts.keys.usable.flatMap(({ algorithms }) => algorithms))].join(", ")
  return `keys: ${facts.keys.usable.length} usable (${algorithms || "for no algorithm"}), ${facts.keys.ignored.length} ignored, at ${facts.keys.url}`
}

/** Asks an issuer for what is needed to check its tokens. */
export const checkIssuer = (options: Oidc.Options): Effect.Effect<Finding, StartupError> =>
  Oidc.probe(options).pipe(
    Effect.provide(FetchHttpClient.layer),
    Effect.mapError(({ message }) => new StartupError({ message: `--issuers: ${message}` })),
    Effect.map((facts) => ({
      isFine: facts.isFine,
      lines: [
        `issuer ${facts.issuer}: ${facts.isFine ? "fine" : "does not work"}`,
        ...(facts.discovery._tag === "Ok" ? [`  discovery: ${facts.discovery.url}`] : []),
        `  ${keysOf(facts)}`,
        ...facts.problems.map((problem) => `  problem: ${problem}`)
      ]
    }))
  )

const encryptionOf = ({ encryption }: DirectoryProbe.Report): ReadonlyArray<string> => {
  if (encryption === undefined) return []
  if (encryption._tag === "Plaintext") return ["  encryption: none, passwords travel as they are"]
  const { protocol, subject, issuer, expires } = encryption
  return [`  encryption: ${protocol}, certificate of ${subject}, by ${issuer}, until ${expires}`]
}

const peopleOf = (report: DirectoryProbe.Report): ReadonlyArray<string> => {
  if (report.people === undefined) return []
  const count = `${report.people}${report.areMore === true ? " or more" : ""}`
  return [
    `  people: ${count} with ${report.idAttribute}, ${report.peopleWithOneId} of them with one id that can be linked`
  ]
}

/** Connects to a directory and looks whether people can be found there. */
export const checkDirectory = (
  server: AuthenticationServerUrl,
  options: Options
): Effect.Effect<Finding, StartupError> =>
  DirectoryProbe.probe(server, options).pipe(
    Effect.mapError(({ reason }) => new StartupError({ message: `--directories: ${reason}` })),
    Effect.map((report) => ({
      isFine: report.problem === undefined,
      lines: [
        `directory ${server.text}: ${report.problem === undefined ? "fine" : "does not work"}`,
        ...(report.connectedTo === undefined ? [] : [`  connected to ${report.connectedTo}`]),
        ...encryptionOf(report),
        `  looked up: by ${report.finder === "anonymous" ? "an anonymous bind" : `the ${report.finder}`}, below ${report.base || "the root"}`,
        ...peopleOf(report),
        ...(report.problem === undefined ? [] : [`  problem (${report.problem.step}): ${report.problem.reason}`])
      ]
    }))
  )
