import { spawn, spawnSync } from "node:child_process"
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { connect, createServer, type AddressInfo } from "node:net"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { fileURLToPath, pathToFileURL } from "node:url"
import { setTimeout as sleep } from "node:timers/promises"
import type { Certificate } from "./certificate.ts"

interface Found {
  readonly program: string
  readonly modules: string | undefined
  readonly schema: string
  readonly env: Readonly<Record<string, string>>
}

const finder = fileURLToPath(new URL("../../../../scripts/workspace/slapd.mjs", import.meta.url))
const { findSlapd }: { readonly findSlapd: () => Found | undefined } = await import(pathToFileURL(finder).href)
const found = findSlapd()

/** Why the tests with a real directory do not run, or undefined when they do. */
export const missing: string | undefined =
  found === undefined
    ? "there is no slapd here: run node scripts/workspace/slapd.mjs, or install OpenLDAP's server"
    : undefined

if (missing !== undefined && process.env.SOJOURN_REQUIRE_SLAPD) throw new Error(missing)

export const PEOPLE = 1000
const BASE = "ou=people,dc=example,dc=org"

/** p0, p1 and so on, as the directory knows them. */
export const person = (i: number) => ({ uid: `p${i}`, password: `pw-${i}`, name: `Given${i}`, surname: `Sur${i}` })

/** Somebody in the directory. */
export type Person = ReturnType<typeof person>

const ldif = (people: ReadonlyArray<Person>) =>
  [
    "dn: dc=example,dc=org\nobjectClass: dcObject\nobjectClass: organization\no: Example\ndc: example\n",
    `dn: ${BASE}\nobjectClass: organizationalUnit\nou: people\n`,
    ...people.map(({ uid, password, name, surname }) => {
      const names = `cn: ${name} ${surname}\ngivenName: ${name}\nsn: ${surname}\n`
      return `dn: uid=${uid},${BASE}\nobjectClass: inetOrgPerson\nuid: ${uid}\n${names}userPassword: ${password}\n`
    })
  ].join("\n")

const configuration = ({ modules, schema }: Found, folder: string, certificate: Certificate | undefined) => {
  const isModular = modules !== undefined && existsSync(join(modules, "back_mdb.so"))
  return [
    ...["core", "cosine", "inetorgperson"].map((name) => `include ${join(schema, `${name}.schema`)}`),
    ...(isModular ? [`modulepath ${modules}`, "moduleload back_mdb"] : []),
    ...(certificate === undefined
      ? []
      : [`TLSCertificateFile ${folder}/certificate.pem`, `TLSCertificateKeyFile ${folder}/key.pem`]),
    "sizelimit unlimited",
    "access to attrs=userPassword by anonymous auth by * none",
    "access to * by * read",
    'database mdb\nsuffix "dc=example,dc=org"\nmaxsize 67108864\nindex uid eq\ndbnosync',
    `directory ${folder}/db`
  ].join("\n")
}

const freePort = async (): Promise<number> => {
  const server = createServer()
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
  const { port } = server.address() as AddressInfo
  await new Promise((resolve) => server.close(resolve))
  return port
}

const isListening = (port: number) =>
  new Promise<boolean>((resolve) => {
    const socket = connect(port, "127.0.0.1", () => resolve(true))
    socket.once("error", () => resolve(false)).once("connect", () => socket.destroy())
  })

/** Runs a server until its input is closed, also by the end of this process; then removes what it had. */
const KEEPER = 'folder=$1; shift; "$@" </dev/null & server=$!; read -r _; kill $server; wait $server; rm -rf "$folder"'

/** What a directory is to be. */
export interface SlapdOptions {
  /** Who is in it (default: 1,000 people). */
  readonly people?: ReadonlyArray<Person>
  /** With it the directory speaks TLS, and nothing else. */
  readonly certificate?: Certificate
}

/** Starts a real directory. */
export const startSlapd = async ({
  people = Array.from({ length: PEOPLE }, (_, i) => person(i)),
  certificate
}: SlapdOptions = {}) => {
  if (found === undefined) throw new Error(missing)
  const folder = mkdtempSync(join(tmpdir(), "sojourn-identity-slapd-"))
  const env = { ...process.env, ...found.env }
  const file = join(folder, "slapd.conf")
  mkdirSync(join(folder, "db"))
  writeFileSync(file, configuration(found, folder, certificate))
  writeFileSync(join(folder, "certificate.pem"), certificate?.pem ?? "")
  writeFileSync(join(folder, "key.pem"), certificate?.keyPem ?? "", { mode: 0o600 })
  const { status, stderr } = spawnSync(found.program, ["-Tadd", "-q", "-f", file], { env, input: ldif(people) })
  if (status !== 0) {
    rmSync(folder, { recursive: true, force: true })
    throw new Error(`slapadd failed: ${String(stderr)}`)
  }
  const port = await freePort()
  const server = `${certificate === undefined ? "ldap" : "ldaps"}://127.0.0.1:${port}`
  const args = ["-c", KEEPER, "sh", folder, found.program, "-d", "0", "-h", `${server}/`, "-f", file]
  const keeper = spawn("sh", args, { env, stdio: ["pipe", "ignore", "ignore"], detached: true })
  const exited = new Promise<void>((resolve) => keeper.once("exit", () => resolve()))
  const stop = () => {
    keeper.stdin.destroy()
    return exited
  }
  for (let tries = 0; !(await isListening(port)); tries++) {
    if (tries > 1000) {
      await stop()
      throw new Error("slapd did not start")
    }
    await sleep(20)
  }
  return { server, url: `${server}/${BASE}?uid?sub`, stop }
}

export type Slapd = Awaited<ReturnType<typeof startSlapd>>
