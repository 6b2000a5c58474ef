/** A real browser without a network: it reaches this machine and nothing else. */
import { pathToFileURL } from "node:url"
import { type Browser, chromium, type Page } from "playwright-core"
import { at } from "../pages/repository.ts"

interface Program {
  readonly program: string
  readonly env: Readonly<Record<string, string>>
}

const finder: { readonly findChromium: () => Program | undefined } = await import(
  pathToFileURL(at("scripts/workspace/chromium.mjs")).href
)

const found = finder.findChromium()

/** Why the tests in a browser do not run, or undefined when they do. */
export const missing: string | undefined =
  found !== undefined ? undefined : "there is no Chromium here: run node scripts/workspace/chromium.mjs, or install one"

if (missing !== undefined && process.env["SOJOURN_REQUIRE_CHROMIUM"]) throw new Error(missing)

export const launch = (): Promise<Browser> =>
  chromium.launch({
    executablePath: found!.program,
    env: { ...process.env, ...found!.env } as Record<string, string>,
    // As root, as in containers, Chromium's own sandbox does not start. What is loaded here is ours.
    args: ["--no-sandbox", "--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1"]
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
