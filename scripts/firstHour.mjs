/**
 * Walks through the first minutes of a new user: a clone of the last commit, an empty home, `npm start`, the page, a movement
 * and a refusal. Prints when each was reached.
 */
import { spawn } from "node:child_process"
import { mkdirSync, mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { delimiter, join } from "node:path"
import { root } from "./workspace/paths.mjs"

const folder = mkdtempSync(join(tmpdir(), "sojourn-first-hour-"))
const clone = join(folder, "sojourn")
const home = join(folder, "home")
mkdirSync(home)

/** A new user has neither the workspace's tools nor a configured npm, but may have to use a proxy or a mirror of the registry. */
const env = {
  ...Object.fromEntries(
    Object.entries(process.env).filter(([name]) => /proxy$|_registry$|^node_extra_ca_certs$/i.test(name))
  ),
  HOME: home,
  PATH: process.env.PATH.split(delimiter)
    .filter((entry) => !entry.startsWith(root))
    .join(delimiter)
}
const begun = performance.now()
const reached = (what) => console.log(`${((performance.now() - begun) / 60_000).toFixed(2).padStart(6)} min  ${what}`)

const must = (holds, what) => {
  if (!holds) throw new Error(`the walk ends here: ${what}`)
}

/** Runs a program to its end, and gives its output. */
const run = (file, args, options = {}) =>
  new Promise((resolve, reject) => {
    const child = spawn(file, args, { env, ...options })
    let out = ""
    child.stdout.on("data", (chunk) => (out += chunk))
    child.stderr.on("data", (chunk) => (out += chunk))
    child.once("error", reject)
    child.once("close", (code) => (code === 0 ? resolve(out) : reject(new Error(`${file} ended with ${code}\n${out}`))))
  })

/** Reads the presence stream until it has told of so many changes. */
const watch = async (url, token, organization, changes) => {
  const stream = await fetch(`${url}/presence/stream?organizations=${organization}`, {
    headers: { authorization: `Bearer ${token}` }
  })
  must(stream.status === 200, `the stream answers ${stream.status}`)
  let text = ""
  for await (const chunk of stream.body.pipeThrough(new TextDecoderStream())) {
    text += chunk
    if (text.split("event: presence.changed").length > changes) return
  }
}

const walk = async () => {
  await run("git", ["clone", "--quiet", "--depth", "1", `file://${root}`, clone])
  reached("git clone")

  // A port of its own, since others may use the default one.
  const server = spawn("npm", ["start", "--", "--port", "0"], { cwd: clone, env, detached: true })
  try {
    let out = ""
    const ended = new Promise((resolve) => server.once("close", resolve))
    await new Promise((resolve, reject) => {
      const read = (chunk) => {
        out += chunk
        if (/^listening on/m.test(out)) resolve()
      }
      server.stdout.on("data", read)
      server.stderr.on("data", read)
      server.once("error", reject)
      void ended.then((code) => reject(new Error(`npm start ended with ${code}\n${out}`)))
    })
    const link = new URL(/^Open the page: +(\S+)$/m.exec(out)?.[1] ?? "")
    const held = new URLSearchParams(link.hash.slice(1))
    reached("npm start prints the link, and listens")

    const page = await fetch(link)
    must(page.ok && /<script/.test(await page.text()), "there is no page")
    await watch(link.origin, held.get("token"), held.get("organization"), 3)
    reached("the page is there, and its numbers move")

    const commands = /^Paste commands: +(\S+)$/m.exec(out)?.[1] ?? ""
    const said = await run("sh", [commands], { cwd: clone })
    must(/"organizationId":1,"counter":1}/.test(said), `an own movement is not counted\n${said}`)
    reached("a movement of one's own is counted")
    const refusal = /"detail":"([^"]+)"/.exec(said)?.[1]
    must(refusal !== undefined, `no refusal says why\n${said}`)
    reached(`a refusal says why: ${refusal}`)

    process.kill(-server.pid, "SIGINT")
    await ended
    must(/the server ended/.test(out), `the end is not told\n${out.slice(-1000)}`)
    reached("Ctrl-C ends it")
  } finally {
    if (server.exitCode === null && server.signalCode === null) process.kill(-server.pid, "SIGTERM")
  }
}

try {
  await walk()
} finally {
  rmSync(folder, { recursive: true, force: true, maxRetries: 5 })
}
