/** Checks the files in `deploy`: what they name is there, and nothing in them runs with more rights than it needs. */
import { execFileSync } from "node:child_process"
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { describe, expect, it } from "vitest"
import { parse, parseAllDocuments } from "yaml"
import { root } from "./planted.ts"

const read = (path: string) => readFileSync(join(root, path), "utf8")

const schema: { readonly properties: object } = JSON.parse(read("packages/server/sojourn.schema.json"))
/** The flags of the server, and with them its variables. */
const flags = Object.keys(schema.properties).filter((name) => !name.startsWith("$"))
const variables = ["config", ...flags].map((flag) => `SOJOURN_${flag.toUpperCase().replaceAll("-", "_")}`)

const FILES = ["Dockerfile", "compose.yaml", "kubernetes.yaml", "sojourn.service"].map((file) => `deploy/${file}`)

/** Lines that are no comments. */
const code = (path: string) =>
  read(path)
    .split("\n")
    .filter((line) => !line.trimStart().startsWith("#"))
    .join("\n")

/** Names of flags and variables that the server does not have. */
const unknown = (text: string): ReadonlyArray<string> => [
  ...[...text.matchAll(/\bSOJOURN_[A-Z_]+/g)]
    .map(([name]) => name)
    .filter((name) => !variables.includes(name) && name !== "SOJOURN_DATABASE_PASSWORD"),
  ...[...text.matchAll(/- --([a-z-]+)/g)].map(([, name]) => name!).filter((name) => !flags.includes(name))
]

const seconds = (text: string): number => Number(/^(\d+)s$/.exec(text)?.[1])

describe("the files in deploy", () => {
  it.each(FILES)("name flags and variables of the server: %s", (file) => {
    expect(unknown(code(file))).toEqual([])
  })

  it("are seen when they name others (control)", () => {
    expect(unknown("- --drain-dely=1s\nSOJOURN_PROT=1 SOJOURN_PORT=1")).toEqual(["SOJOURN_PROT", "drain-dely"])
  })

  it("are linked in the documentation", () => {
    for (const file of FILES) expect(read("docs/operations.md")).toContain(`../${file}`)
  })
})

describe("deploy/Dockerfile", () => {
  const instructions = code("deploy/Dockerfile")
    .replaceAll(/\\\n\s*/g, " ")
    .split("\n")
    .filter((line) => line !== "")
  const of = (name: string) => instructions.filter((line) => line.startsWith(`${name} `))

  it("is made of instructions that there are, from images with a version", () => {
    for (const line of instructions) {
      expect(line).toMatch(/^(FROM|WORKDIR|COPY|RUN|ENV|VOLUME|USER|EXPOSE|STOPSIGNAL|HEALTHCHECK|ENTRYPOINT|CMD) /)
    }
    for (const from of of("FROM")) expect(from).toMatch(/^FROM [\w/-]+:\d[\w.-]*( AS \w+)?$/)
  })

  it("runs as a user who is not root, with a health check, and forms of commands without a shell", () => {
    expect(of("USER")).toEqual(["USER 1000:1000"])
    expect(instructions.indexOf("USER 1000:1000")).toBeGreaterThan(
      instructions.findLastIndex((line) => line.startsWith("RUN "))
    )
    expect(of("HEALTHCHECK")).toHaveLength(1)
    for (const line of [...of("ENTRYPOINT"), ...of("CMD")]) {
      expect(Array.isArray(JSON.parse(line.slice(line.indexOf(" "))))).toBe(true)
    }
  })

  it("copies what the clone and its build have, and the manifest above the bundle, which is asked for the version", () => {
    const copied = of("COPY")
      .filter((line) => line.includes("--from=build"))
      .flatMap((line) => line.split(" ").filter((word) => word.startsWith("/source/")))
      .map((path) => path.slice("/source/".length))
    expect(copied).toContain("packages/server/package.json")
    for (const path of copied) expect(path.includes("/dist/") || existsSync(join(root, path)), path).toBe(true)
    expect(read("deploy/Dockerfile.dockerignore")).toContain("node_modules")
  })
})

describe("deploy/compose.yaml", () => {
  const { services, volumes } = parse(read("deploy/compose.yaml"))

  it("gives the server no more rights than it needs, and time to drain", () => {
    const { server } = services
    expect([server.read_only, server.cap_drop, server.security_opt]).toEqual([
      true,
      ["ALL"],
      ["no-new-privileges:true"]
    ])
    expect(server.ports).toEqual(["127.0.0.1:8080:8080"])
    expect(seconds(server.stop_grace_period)).toBeGreaterThan(1 + 10)
    expect(existsSync(join(root, "deploy", server.build.context, server.build.dockerfile))).toBe(true)
    expect(server.depends_on.database.condition).toBe("service_healthy")
    expect(services.database.healthcheck.test).toContain("CMD-SHELL")
  })

  it("keeps the data of both in volumes, and no password in the file", () => {
    expect(Object.keys(volumes).sort()).toEqual(["database", "keys"])
    expect(read("deploy/compose.yaml").match(/SOJOURN_DATABASE_PASSWORD:\?/g)).toHaveLength(2)
  })
})

describe("deploy/kubernetes.yaml", () => {
  const documents = parseAllDocuments(read("deploy/kubernetes.yaml")).map((document) => document.toJS())
  const kind = (name: string) => documents.find((document) => document.kind === name)
  const pod = kind("Deployment").spec.template
  const [container] = pod.spec.containers

  it("has objects whose selectors meet the pods", () => {
    expect(documents.map((document) => document.kind)).toEqual(["Deployment", "Service", "PodDisruptionBudget"])
    const { labels } = pod.metadata
    expect(kind("Deployment").spec.selector.matchLabels).toEqual(labels)
    expect(kind("Service").spec.selector).toEqual(labels)
    expect(kind("PodDisruptionBudget").spec.selector.matchLabels).toEqual(labels)
  })

  it("runs without root, rights to gain and a root file system to write on", () => {
    expect(pod.spec.securityContext.runAsNonRoot).toBe(true)
    expect(pod.spec.automountServiceAccountToken).toBe(false)
    expect(container.securityContext).toEqual({
      allowPrivilegeEscalation: false,
      readOnlyRootFilesystem: true,
      capabilities: { drop: ["ALL"] }
    })
  })

  it("probes the server's own endpoints, and waits for the drain", () => {
    expect(container.readinessProbe.httpGet.path).toBe("/health/ready")
    expect(container.livenessProbe.httpGet.path).toBe("/health/live")
    const flag = (name: string): string =>
      container.args.find((arg: string) => arg.startsWith(`--${name}=`)).split("=")[1]
    const drain = seconds(flag("drain-delay")) + seconds(flag("drain-timeout"))
    expect(pod.spec.terminationGracePeriodSeconds).toBeGreaterThan(drain)
    const { periodSeconds, failureThreshold } = container.readinessProbe
    expect(seconds(flag("drain-delay"))).toBeGreaterThan(periodSeconds * failureThreshold)
  })

  it("takes secrets from secrets alone", () => {
    for (const { name, value } of container.env) expect([name, value]).toEqual([name, undefined])
  })
})

const hasSystemd = (() => {
  try {
    execFileSync("systemd-analyze", ["--version"], { stdio: "ignore" })
    return true
  } catch {
    return false
  }
})()

describe.skipIf(!hasSystemd)(`deploy/sojourn.service${hasSystemd ? "" : " (skipped: no systemd-analyze)"}`, () => {
  it("is a unit that systemd knows, exposed little", () => {
    const folder = mkdtempSync(join(tmpdir(), "sojourn-unit-"))
    const file = join(folder, "sojourn.service")
    // The program is looked for where it says.
    writeFileSync(file, read("deploy/sojourn.service").replace("/usr/bin/node", process.execPath))
    const analyze = (...args: ReadonlyArray<string>) =>
      execFileSync("systemd-analyze", [...args, file], { encoding: "utf8" })
    expect(analyze("verify")).toBe("")
    // The threshold is ten times the level: above it, the command fails.
    expect(analyze("security", "--offline=true", "--no-pager", "--threshold=20")).toMatch(/Overall exposure level/)
    rmSync(folder, { recursive: true })
  })
})
