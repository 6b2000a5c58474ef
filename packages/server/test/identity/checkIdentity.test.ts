/** `sojourn check-identity`: checks of issuers and directories before they are used. */
import { join } from "node:path"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { temporaryFolder, writerIn } from "../folders.ts"
import { forThisFile } from "../forThisFile.ts"
import { certify } from "../../../adapter-ldap/test/certificates.ts"
import { expectRefusal } from "../refusal.ts"
import { startHung } from "./Hung.ts"
import { described, startProvider } from "./OpenIdProvider.ts"
import { runHere } from "../runHere.ts"
import { missing, PEOPLE, type Slapd, startSlapd } from "./Slapd.ts"

const data = temporaryFolder()
const written = writerIn(data)
const NOWHERE = "http://127.0.0.1:1"

const provider = forThisFile(await startProvider())

const check = (...args: ReadonlyArray<string>) =>
  runHere(["check-identity", "--storage", "memory", "--data", data, ...args])
const issuersFile = (name: string, ...issuers: ReadonlyArray<object>) => ["--issuers", written(`${name}.json`, issuers)]
const ONE = "sojourn: 1 of 1 do not work\n"

describe.concurrent("sojourn check-identity of issuers", () => {
  it("reports a working issuer with the URL of its keys", async () => {
    const { code, out, err } = await check("--no-own-issuer", ...issuersFile("fine", described(provider.issuer)))
    expect({ code, err }).toEqual({ code: 0, err: "" })
    const { issuer } = provider
    expect(out).toBe(
      `issuer ${issuer}: fine\n  discovery: ${issuer}/.well-known/openid-configuration\n` +
        `  keys: 1 usable (ES256), 0 ignored, at ${issuer}/jwks\n`
    )
  })

  it("lists the own issuer when it is enabled", async () => {
    const { code, out, err } = await check()
    expect({ code, out, err }).toEqual({ code: 0, out: `own issuer: fine, its key is in ${data}\n`, err: "" })
  })

  it("reports the problem of each issuer that does not work, and the others as working", async () => {
    const alias = provider.issuer.replace("127.0.0.1", "localhost")
    const issuers = [provider.issuer, alias, NOWHERE].map(described)
    const { code, out, err } = await check("--no-own-issuer", ...issuersFile("broken", ...issuers))
    expect(code).toBe(1)
    expect(err).toBe("sojourn: 2 of 3 do not work\n")
    expect(out).toContain(`issuer ${provider.issuer}: fine\n`)
    for (const issuer of [alias, NOWHERE]) expect(out).toContain(`issuer ${issuer}: does not work\n`)
    expect(out.match(/^ {2}problem: The address of the keys is not known: [^\n]+\.$/gm)).toHaveLength(2)
    expect(out).toMatch(/^ {2}problem: [^\n]*another issuer[^\n]*$/m)
  })

  it.each([
    ["a file that is not there", () => ["--issuers", join(data, "nowhere.json")]],
    ["an option that there is not", () => issuersFile("misspelled", { ...described(provider.issuer), audiense: "x" })],
    [
      "an address that any host on the path could answer for",
      () => issuersFile("http", described("http://id.example.org"))
    ]
  ])("refuses %s with one line", async (_, args) => {
    expectRefusal(await check(...args()), /^sojourn: --issuers: /)
  })
})

describe.concurrent("sojourn check-identity of directories that do not work", () => {
  it("reports the failed step of each: it is down, it hangs, or the operator does not allow it", async () => {
    const hung = await startHung()
    const [down, forbidden] = ["ldap://127.0.0.1:1/dc=example", "ldap://127.0.0.1:2/dc=example"]
    const allow = ["--directory-allow", `ldap://127.0.0.1:1,${hung.server}`]
    const { code, out, err } = await check(...allow, down, forbidden, hung.url)
    await hung.stop()
    expect(code).toBe(1)
    expect(err).toBe("sojourn: 3 of 3 do not work\n")
    for (const url of [down, forbidden, hung.url]) expect(out).toContain(`directory ${url}: does not work\n`)
    const steps = [...out.matchAll(/^ {2}problem \((\w+)\): [^\n]+$/gm)].map(([, step]) => step)
    expect(steps).toEqual(["connection", "policy", "encryption"])
  })

  it("checks the directories of all organizations when no URL is an argument", async () => {
    const folder = join(data, "kept")
    const kept = ["--storage", "embedded", "--data", folder, "--directory-allow", "ldap://127.0.0.1:1"]
    const area = '{"type":"Polygon","coordinates":[[[0,0],[1,0],[1,1],[0,0]]]}'
    const draft = ["--name", "A", "--area", area, "--owner", "boss", "--mail", "boss@example.test"]
    const url = "ldap://127.0.0.1:1/dc=example?uid?sub"
    const created = await runHere(["organization", "create", ...kept, ...draft, "--authentication-server", url])
    expect(created).toMatchObject({ code: 0, out: "1\n", err: "" })
    const { code, out, err } = await runHere(["check-identity", ...kept])
    expect({ code, err }).toEqual({ code: 1, err: ONE })
    expect(out).toContain(`own issuer: fine, its key is in ${folder}\ndirectory ${url}: does not work\n`)
  })

  it("refuses an invalid directory URL with one line", async () => {
    expectRefusal(await check("https://directory.example.org"), / is no URL of a directory: /)
  })
})

const title = "sojourn check-identity of a real directory"
describe.skipIf(missing !== undefined)(missing === undefined ? title : `${title} (skipped: ${missing})`, () => {
  const certificate = certify({ commonName: "directory.test", addresses: ["127.0.0.1"] })
  let plain: Slapd
  let secure: Slapd
  beforeAll(async () => {
    plain = await startSlapd()
    secure = await startSlapd({ certificate })
  })
  afterAll(async () => {
    await secure?.stop()
    await plain?.stop()
  })

  it("reports it as working, with its encryption and the number of people who can be linked", async () => {
    const ca = written("ca.pem", certificate.pem)
    const allow = ["--directory-allow", `${plain.server},${secure.server}`, "--directory-ca", ca]
    const { code, out, err } = await check(...allow, plain.url, secure.url)
    expect({ code, err }).toEqual({ code: 0, err: "" })
    for (const { url } of [plain, secure]) expect(out).toContain(`directory ${url}: fine\n`)
    expect(out).toContain("  encryption: none, passwords travel as they are\n")
    expect(out).toMatch(/^ {2}encryption: TLSv1\.3, certificate of directory\.test[^\n]*, until \d{4}-/m)
    const people = new RegExp(`^ {2}people: ${PEOPLE}(?: or more)? with uid, ${PEOPLE} of them with one id`, "gm")
    expect(out.match(people)).toHaveLength(2)
  })

  it.each([
    ["has a certificate of another authority", () => secure, "", "encryption"],
    ["has nothing at the URL's base", () => plain, "dc=elsewhere", "base"]
  ])("reports the failed step of a directory that %s", async (_, slapd, base, step) => {
    const { server, url } = slapd()
    const checked = base === "" ? url : `${server}/${base}`
    const ca = written(`other-ca-${step}.pem`, certify({ commonName: "directory.test", addresses: ["127.0.0.1"] }).pem)
    const { code, out, err } = await check("--directory-allow", server, "--directory-ca", ca, checked)
    expect(code).toBe(1)
    expect(err).toBe(ONE)
    expect(out).toMatch(new RegExp(`^ {2}problem \\(${step}\\): [^\\n]+$`, "m"))
  })
})
