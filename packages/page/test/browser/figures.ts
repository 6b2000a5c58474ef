/** What a visit of the page costs its visitor, as the browser measures it. */
import type { Page } from "playwright-core"

/** The connection and the processor that a visit has. */
export interface Conditions {
  readonly name: string
  /** Bits a second, and the milliseconds that a request takes at least; left out: those of this machine. */
  readonly network?: { readonly bits: number; readonly latency: number }
  /** How many times slower the processor is than this machine's. */
  readonly slowdown?: number
}

/** This machine, and a phone as Lighthouse has it: slow 4G, a processor of a quarter of the speed. */
export const CONDITIONS: ReadonlyArray<Conditions> = [
  { name: "this machine" },
  { name: "slow phone", network: { bits: 1_638_400, latency: 150 }, slowdown: 4 }
]

export interface Figures {
  /** Milliseconds until the first paint, and until the counts are live. */
  readonly paint: number
  readonly live: number
  /** How far what is seen moves while it loads (cumulative layout shift). */
  readonly shift: number
  readonly requests: number
  /** Bytes of the page's own files as they were transferred, without those of the interface. */
  readonly bytes: number
}

/** Makes the page's next loads happen under these conditions, without a cache. */
export const under = async (page: Page, { network, slowdown = 1 }: Conditions): Promise<void> => {
  const session = await page.context().newCDPSession(page)
  await session.send("Network.enable")
  await session.send("Network.setCacheDisabled", { cacheDisabled: true })
  await session.send("Emulation.setCPUThrottlingRate", { rate: slowdown })
  if (network === undefined) return
  const throughput = network.bits / 8
  await session.send("Network.emulateNetworkConditions", {
    offline: false,
    latency: network.latency,
    downloadThroughput: throughput,
    uploadThroughput: throughput
  })
}

/** What is measured in the page; it has the types of the browser's library, which the tests do not. */
const MEASURE = `(() => {
  const [navigation] = performance.getEntriesByType("navigation")
  const own = performance.getEntriesByType("resource").filter(({ name }) => /\\/page\\/|favicon/.test(name))
  const paint = performance.getEntriesByName("first-contentful-paint")[0].startTime
  let shift = 0
  const observer = new PerformanceObserver(() => {})
  observer.observe({ type: "layout-shift", buffered: true })
  for (const { value } of observer.takeRecords()) shift += value
  return {
    paint,
    live: performance.now(),
    shift,
    requests: own.length + 1,
    bytes: [navigation, ...own].reduce((sum, { transferSize }) => sum + transferSize, 0)
  }
})()`

/** The figures of a page whose counts have just become live. */
export const figuresOf = (page: Page): Promise<Figures> => page.evaluate<Figures>(MEASURE)
