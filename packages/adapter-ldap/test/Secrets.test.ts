/** Credentials and personal data appear in no log, error or report of the adapter, also when servers fail. */
import type { DirectoryFailure } from "@sojourn/core"
import { assert, describe, it } from "@effect/vitest"
import { Cause, Console, Effect, Exit, Logger, Redacted, References } from "effect"
import { inspect } from "node:util"
import { DirectoryProbe, LdapDirectory, type Options } from "../src/index.ts"
import { makeCertificates } from "./certificates.ts"
import { allowing, credentials, ids, url } from "./directory.ts"
import { startListener, startTlsListener } from "./Listener.ts"
import { answering, BIND, entry, obliging, result, SEARCH } from "./script.ts"

/** Words that are in what is request, and must be in nothing that is said. */
const CANARIES = ["canaryuser", "canarypassword", "canaryaccount", "canaryservice", "canaryperson", "canaryname"]

const certificates = makeCertificates()

const shown = (value: unknown): string =>
  [String(value), inspect(value, { depth: 20, showHidden: true }), JSON.stringify(value) ?? ""].join("\n")

describe("secret data", () => {
  it.live("is in no log, error or report of any failure", () =>
    Effect.gen(function* () {
      const said: Array<string> = []
      const plain = [
        answering(obliging()),
        answering((request) => (request.operation === BIND ? [result(request, 49)] : obliging()(request))),
        answering((request) => (request.operation === BIND ? [result(request, 1)] : obliging()(request))),
        answering((request) => (request.operation === SEARCH ? [result(request, 32)] : obliging()(request))),
        answering((request) => (request.operation === SEARCH ? [Buffer.from("canaryname")] : obliging()(request))),
        answering((request) =>
          request.operation === SEARCH
            ? [entry(request, "uid=canaryperson", { uid: ["canaryperson"] }).subarray(0, 30), Buffer.alloc(99)]
            : obliging()(request)
        ),
        answering(() => []),
        answering((request) => {
          request.socket.destroy()
          return []
        })
      ]
      const listeners = yield* Effect.forEach(plain, startListener)
      const secure = yield* startTlsListener(certificates.ofAnother, answering(obliging()))
      const servers = [...listeners.map(({ address }) => `ldap://${address}`), `ldaps://${secure.address}`]
      const options: Options = {
        policy: allowing(...servers),
        startTls: "never",
        limits: { operation: "200 millis", total: "1 second" },
        servers: servers.map((server) => ({
          server,
          serviceAccount: { dn: "cn=canaryaccount", password: Redacted.make("canaryservice") }
        }))
      }
      const directory = yield* LdapDirectory.make(options)
      said.push(shown(directory), shown(options))
      for (const server of servers) {
        const at = url(`${server}/dc=x`)
        for (const username of ["canaryuser", "uid=canaryuser,dc=x", "canaryuser\0"]) {
          const known = credentials(username, "canarypassword")
          const questions: ReadonlyArray<Effect.Effect<unknown, DirectoryFailure>> = [
            directory.authenticate(at, known),
            directory.information(at, known, ids("canaryperson")),
            directory.information(at, known, "everyone")
          ]
          for (const question of questions) {
            const exit = yield* Effect.exit(question)
            if (Exit.isFailure(exit)) said.push(shown(exit), Cause.pretty(exit.cause))
          }
        }
        said.push(shown(yield* DirectoryProbe.probe(at, options)))
      }
      for (const bad of [
        { server: "x y", serviceAccount: { dn: "cn=canaryaccount", password: Redacted.make("canaryservice") } },
        { server: "ldaps://x", serviceAccount: { dn: "canaryaccount", password: Redacted.make("canaryservice") } },
        { server: "ldaps://x", serviceAccount: { dn: "cn=canaryaccount", password: Redacted.make("") } }
      ]) {
        said.push(shown(yield* Effect.flip(LdapDirectory.make({ servers: [bad] }))))
      }
      const all = said.join("\n").replaceAll("dn: 'cn=canaryaccount'", "").replaceAll('"dn":"cn=canaryaccount"', "")
      for (const canary of CANARIES) {
        assert.isFalse(
          all.includes(canary),
          `${canary}: ${all.slice(Math.max(0, all.indexOf(canary) - 200)).slice(0, 400)}`
        )
      }
    }).pipe((test) =>
      Effect.gen(function* () {
        const logged: Array<string> = []
        const logger = Logger.make((entryOfLog) => {
          logged.push(shown(entryOfLog))
        })
        const own = yield* Console.Console
        const written: Array<string> = []
        const restore = (["stdout", "stderr"] as const).map((stream) => {
          const write = process[stream].write
          process[stream].write = ((chunk: unknown) => {
            written.push(String(chunk))
            return true
          }) as typeof write
          return () => {
            process[stream].write = write
          }
        })
        yield* test.pipe(
          Effect.provide(Logger.layer([logger])),
          Effect.provideService(References.MinimumLogLevel, "All"),
          Effect.provideService(Console.Console, own),
          Effect.ensuring(
            Effect.sync(() => {
              for (const one of restore) one()
            })
          )
        )
        for (const canary of CANARIES) assert.notInclude([...logged, ...written].join("\n"), canary)
      })
    )
  )
})
