/** A sensor's program in a test, with the people who pass its door. */
import { spawn, spawnSync } from "node:child_process"
import { once } from "node:events"
import { existsSync, readFileSync } from "node:fs"
import { fileURLToPath } from "node:url"
import { unlessMissing } from "../../packages/adapter-ldap/test/programs.ts"

const file = (name: string) => fileURLToPath(new URL(name, import.meta.url))

const python = [process.env.SOJOURN_PYTHON ?? "python3", "/usr/bin/python3"].find(
  (program) => spawnSync(program, ["--version"]).status === 0
)

/** The commands of both programs, and why one cannot run. */
export const programs = [
  { language: "TypeScript", command: [process.execPath, file("door-counter.ts")], missing: undefined },
  {
    language: "Python",
    command: [python ?? "python3", file("door_counter.py")],
    missing: unlessMissing(
      python,
      "no Python: install it (Debian: apt-get install python3), or name it in SOJOURN_PYTHON"
    )
  }
] as const

/** A sensor that counts the pulses of a list, and can lose its power. */
export const makeSensor = (
  [program, ...args]: readonly [string, ...ReadonlyArray<string>],
  pulses: ReadonlyArray<"in" | "out">,
  env: { readonly STATE_FILE: string } & Readonly<Record<string, string>>
) => {
  const start = () => {
    const child = spawn(program, args, {
      env: { ...process.env, SEND_SECONDS: "0.05", ...env },
      stdio: ["pipe", "ignore", "pipe"]
    })
    // A killed program reads no more.
    child.stdin.on("error", () => {})
    child.stderr.setEncoding("utf8").on("data", (text: string) => (said += text))
    return child
  }
  let said = ""
  let child = start()
  const exited = () => (child.exitCode ?? child.signalCode) === null && once(child, "exit")

  /** How many pulses the sensor has counted: those in its file. */
  const counted = (): number => {
    if (!existsSync(env.STATE_FILE)) return 0
    const totals = JSON.parse(readFileSync(env.STATE_FILE, "utf8"))
    return totals.in + totals.out
  }
  const write = (upTo: number) => {
    for (const pulse of pulses.slice(counted(), upTo)) child.stdin.write(`${pulse}\n`)
  }

  return {
    said: () => said,
    counted,
    /** Lets people pass, up to this pulse of the list. Call it again only after all were counted, or after a restart. */
    pass: write,
    kill: async () => {
      child.kill("SIGKILL")
      await exited()
    },
    /** Starts a killed sensor again. Pulses that it had not counted are those of people who did not pass. */
    restart: () => void (child = start()),
    /** Ends the input. The program ends when the server has accepted all totals. */
    finish: async () => {
      child.stdin.end()
      await exited()
      return child.exitCode
    }
  }
}
