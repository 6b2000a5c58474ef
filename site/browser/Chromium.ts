/** A real browser without a network: it reaches this machine and nothing else. */
import { existsSync } from "node:fs"
import { delimiter, join } from "node:path"
import { type Browser, chromium, type Page } from "playwright-core"

const { PATH = "", SOJOURN_CHROMIUM } = process.env

/** The browser that SOJOURN_CHROMIUM names, or the one of the machine: the one without windows takes a third less of the processors. */
const program = (
  SOJOURN_CHROMIUM
    ? [SOJOURN_CHROMIUM]
    : ["chromium-headless-shell", "chromium"].flatMap((name) =>
        ["/usr/bin", ...PATH.split(delimiter)].map((folder) => join(folder, name))
      )
).find((path) => existsSync(path))

/** Why the tests in a browser do not run, or undefined when they do. */
export const missing: string | undefined =
  program === undefined
    ? "no Chromium: install it (Debian: apt-get install chromium), or name it or Chrome in SOJOURN_CHROMIUM"
    : undefined

if (missing !== undefined) {
  if (process.env["CI"]) throw new Error(missing)
  console.warn(`Tests are skipped: ${missing}`)
}

export const launch = (): Promise<Browser> =>
  chromium.launch({
    executablePath: program!,
    // As root, as in containers, Chromium's own sandbox does not start. What is loaded here is ours.
    args: [
      "--no-sandbox",
      "--disable-gpu",
      "--disable-quic",
      "--disable-sync",
      "--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1"
    ]
  })

/** What went wrong on a page so far: errors, requests that failed, and any that would leave this machine. */
export const troubles = (page: Page): ReadonlyArray<string> => {
  const seen: Array<string> = []
  page.on("console", (message) => {
    const isNoise = message.location().url.endsWith("/favicon.ico")
    if (!isNoise && /^(error|warning)$/.test(message.type())) seen.push(`console: ${message.text()}`)
  })
  page.on("pageerror", (error) => seen.push(`error: ${String(error)}`))
  page.on("requestfailed", (request) => {
    // What a page fetches ahead ends when it is left.
    const reason = request.failure()?.errorText
    if (reason !== "net::ERR_ABORTED") seen.push(`failed, ${reason}: ${request.url()}`)
  })
  page.on("response", (response) => {
    if (response.status() >= 400) seen.push(`${response.status()}: ${response.url()}`)
  })
  page.on("request", (request) => {
    const { protocol, hostname } = new URL(request.url())
    if (protocol !== "data:" && protocol !== "blob:" && hostname !== "127.0.0.1") seen.push(`outside: ${request.url()}`)
  })
  return seen
}

/** Whether the page is wider than its window, so that it scrolls sideways. */
export const isTooWide = (page: Page): Promise<boolean> =>
  page.evaluate("document.documentElement.scrollWidth > document.documentElement.clientWidth")
