/**
 * A server writes no secret or personal data to its log and its telemetry. The log has its lowest level here, every
 * request is traced, and the storage is PostgreSQL, whose statements could occur in traces.
 */
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { want, whole } from "../fixtures.ts"
import { eventually } from "../faults/eventually.ts"
import { makeCanaries } from "./canaries.ts"
import { startHung } from "./Hung.ts"
import { AUDIENCE } from "./OpenIdProvider.ts"
import { listenTo } from "./silence.listening.ts"
import { raw } from "./silence.requests.ts"
import { missing, type Slapd, startSlapd } from "./Slapd.ts"
import { type Receiver, startReceiver } from "../telemetry/Receiver.ts"
import { startTown, type Town } from "./Town.ts"

const canaries = makeCanaries()
const { next, keep } = canaries
/** An address without a listener. */
const DOWN = "ldap://127.0.0.1:1"
const NO_ISSUER = "http://127.0.0.1:1"

const base64url = (json: unknown) => Buffer.from(JSON.stringify(json)).toString("base64url")
const forged = (header: object, claims: object) =>
  keep("forged token", `${base64url(header)}.${base64url(claims)}.${base64url(next("signature"))}`)

describe.skipIf(missing !== undefined)(
  missing === undefined ? "what the server writes" : `what the server writes (skipped: ${missing})`,
  () => {
    const member = { uid: next("uid"), password: next("password"), name: next("name"), surname: next("surname") }
    const servicePassword = next("service password")
    let slapd: Slapd
    let hung: Awaited<ReturnType<typeof startHung>>
    let receiver: Receiver
    let town: Town
    let listening: ReturnType<typeof listenTo>

    beforeAll(async () => {
      receiver = await startReceiver()
      slapd = await startSlapd({ people: [member] })
      hung = await startHung()
      const dn = `cn=${next("service")},dc=example,dc=org`
      town = await startTown({
        storage: "embedded",
        flags: ["--log-level", "all", "--otlp-endpoint", receiver.endpoint, "--trace-sample", "1"],
        directories: [slapd.server, hung.server, DOWN],
        issuers: [{ issuer: NO_ISSUER, audience: AUDIENCE, subjectPrefix: "" }],
        files: { password: servicePassword },
        servers: [{ server: slapd.server, base: "dc=example", serviceAccount: { dn, passwordFile: "password" } }]
      })
      listening = listenTo(town, canaries, receiver.said)
    })
    afterAll(async () => {
      await town?.stop()
      await hung?.stop()
      await slapd?.stop()
      await receiver?.stop()
    })

    it("is searched for canaries in every encoding (control)", () => {
      const value = next("value")
      for (const written of [value, encodeURIComponent(`,${value}`), `Basic ${btoa(value)}`, btoa(`ab${value}`)]) {
        expect(canaries.in(`a line: ${written}, and more`)).toHaveLength(1)
      }
      const token = keep("token", `${btoa("{}")}.${btoa(next("claim"))}.${next("signature")}`)
      expect(canaries.in(token.split(".")[1] ?? "")).toHaveLength(2)
    })

    // These five are sent at the same moment: each waits for metrics, and one for a directory that hangs.
    it.concurrent("contains no canary of successful requests: a sign-in, a link, stays and reads", async () => {
      const { bearer, valuesOf, quiet } = listening
      const values = await valuesOf(slapd.url)
      const { mail, password, organizationId } = values
      const account = { mail, password, organizationId, permission: 3 }
      const made = want(await town.post(town.owner, "/administrator/createadministrator", account), 201).json
      const form = { grant_type: "password", username: mail, password }
      const signedIn = want(await town.post(undefined, "/authentication/token", undefined, { form }), 200).json
      const owner = {
        id: keep("administrator", made.administratorId),
        mail,
        token: keep("bearer token", signedIn.access_token)
      }

      const user = await bearer("user")
      want(await town.link(user, organizationId, member.uid, member.password), 201)
      const entrance = await town.enter(
        user,
        whole(organizationId),
        {},
        {
          headers: { "idempotency-key": values.key }
        }
      )
      const exitToken = keep("exit token", want(entrance, 201).json.exitToken)
      want(await town.leave(user, whole(organizationId), exitToken), 202)
      const accesses = `/access/organization/${organizationId}/authenticated/${member.uid}`
      for (const who of [user, owner]) want(await town.get(who, accesses), 200)
      const organizationCredentials = { username: member.uid, password: member.password }
      const query = { organizationId, organizationCredentials, orgAuthServerIds: [member.uid] }
      want(await town.post(owner, "/authenticationserver/userinformation", query), 200)
      await quiet()
    })

    it.concurrent("contains no canary of requests to every endpoint by callers of every kind and without credentials", async () => {
      const { bearer, valuesOf, ask, quiet } = listening
      const anonymous = await valuesOf()
      const authenticated = await valuesOf(slapd.url)
      const callers = [await bearer("user"), await bearer("administrator"), await bearer("operator"), town.owner]
      for (const values of [anonymous, authenticated]) {
        const tokens = [undefined, ...(await Promise.all(callers.map(({ token }) => token)))]
        const statuses = await Promise.all(tokens.map((token) => ask(token, values)))
        expect(statuses.flat().filter((status) => status >= 500)).toEqual([])
      }
      await quiet()
    })

    it.concurrent("contains no canary of malformed requests", async () => {
      const { bearer, valuesOf, askMalformed, quiet } = listening
      const [values, { token }] = [await valuesOf(slapd.url), await bearer("user")]
      const statuses = await askMalformed(token, values)
      expect(statuses.filter((status) => status >= 500)).toEqual([])
      const { password, user, exitToken } = values
      await raw(town.baseUrl, `${password} ${user}\r\n\r\n`)
      await raw(town.baseUrl, `GET /favorite/${user} HTTP/1.1\r\nHost: x\r\nAuthorization Bearer ${exitToken}\r\n\r\n`)
      await raw(town.baseUrl, `GET / HTTP/1.1\r\nHost: x\r\nX-Long: ${exitToken.repeat(3000)}\r\n\r\n`)
      await quiet()
    })

    it.concurrent("contains no canary of tokens that are refused or cannot be checked", async () => {
      const { bearer, valuesOf, ask, quiet } = listening
      const values = await valuesOf()
      const claims = { sub: next("sub"), aud: AUDIENCE, exp: 4e9, sojourn_kind: "user", email: next("mail") }
      const { token } = await bearer("user")
      for (const [bad, status] of [
        [next("garbage"), 401],
        [keep("altered token", `${token.slice(0, -8)}AAAAAAAA`), 401],
        [forged({ alg: "none" }, { ...claims, iss: town.provider.issuer }), 401],
        [forged({ alg: "ES256", kid: next("kid") }, { ...claims, iss: town.provider.issuer }), 401],
        [forged({ alg: "ES256", kid: "1" }, { ...claims, iss: `https://${next("iss")}.test` }), 401],
        [forged({ alg: "ES256", kid: "1" }, { ...claims, iss: NO_ISSUER }), 503]
      ] as const) {
        expect(new Set(await ask(bad, values)), bad).toContain(status)
      }
      const headers = {
        authorization: `Basic ${Buffer.from(`${next("name")}:${next("password")}`).toString("base64")}`
      }
      want(await town.get(undefined, "/organization", { headers }), 401)
      const said = "credentials cannot be verified"
      await eventually("the log says so", () => town.server.said().includes(said))
      await quiet()
    })

    it.concurrent("contains no canary of failures: a directory is down, refuses the service's account, or hangs", async () => {
      const { bearer, valuesOf, quiet } = listening
      const user = await bearer("user")
      const refusing = slapd.url.replace("ou=people,dc=example,dc=org", "dc=example")
      const failures = await Promise.all(
        [`${DOWN}/dc=example?uid?sub`, refusing, hung.url].map(async (url) => {
          const { organizationId } = await valuesOf(url)
          const credentials = { username: next("username"), password: next("password") }
          const query = { organizationId, organizationCredentials: credentials, orgAuthServerIds: [next("person")] }
          const informed = town.post(town.owner, "/authenticationserver/userinformation", query)
          const linked = await town.link(user, organizationId, credentials.username, credentials.password)
          return [linked.status, (await informed).status]
        })
      )
      expect(failures).toEqual([
        [502, 502],
        [502, 502],
        [504, 504]
      ])
      for (const word of ["cannot be reached", "does not answer in time"]) {
        await eventually("the log says so", () => town.server.said().includes(word))
      }
      await quiet()
    })

    it("contains no canary after the shutdown with abandoned requests", async () => {
      const { bearer, valuesOf, quiet } = listening
      const [{ token }, { organizationId }] = [await bearer("user"), await valuesOf(hung.url)]
      const body = JSON.stringify({ organizationId, username: next("username"), password: next("password") })
      const headers = `Host: x\r\nAuthorization: Bearer ${token}\r\nContent-Type: application/json\r\n`
      const request = `POST /authenticationserver/link HTTP/1.1\r\n${headers}Content-Length: ${body.length}\r\n\r\n${body}`
      await raw(town.baseUrl, request, hung.until(1))
      await hung.until(0)
      await quiet()
      const { out, err } = await town.server.end()
      expect(canaries.in(`${out}${err}`)).toEqual([])
      // The remaining telemetry was sent during the shutdown.
      expect(canaries.in(receiver.said())).toEqual([])
      const names = receiver.spans().map(({ name }) => name)
      for (const name of ["POST /movement/track/place", "ask an authentication server"]) expect(names).toContain(name)
      expect(canaries.count()).toBeGreaterThan(100)
    })
  }
)
