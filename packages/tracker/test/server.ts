/** The reference server in memory, without a socket, and what tests ask of it. */
import { compose } from "../../adapter-http/test/composed.ts"
import { rectangle as rectangleOf } from "../../server/test/fixtures.ts"
import type { TrackerRequest, TrackerResponse } from "../src/index.ts"

/** About 11 m of latitude. */
const CELL = 1e-4

/** A rectangle of cells around 45 north, 11 east. */
export const rectangle = (left: number, bottom: number, right: number, top: number) =>
  rectangleOf(11 + left * CELL, 45 + bottom * CELL, 11 + right * CELL, 45 + top * CELL)

/** A position in the middle of a cell. */
export const at = (x: number, y: number, timestamp: number, accuracy = 5) => ({
  coords: { longitude: 11 + (x + 0.5) * CELL, latitude: 45 + (y + 0.5) * CELL, accuracy },
  timestamp
})

export const startServer = async (directories?: Parameters<typeof compose>[0]) => {
  const server = await compose(directories)
  let names = 0

  /** Calls without a socket, and requires success. */
  const call = async (token: string, method: string, path: string, body?: unknown) => {
    const headers = { authorization: `Bearer ${token}`, "content-type": "application/json" }
    const request = { method, headers, ...(body !== undefined && { body: JSON.stringify(body) }) }
    const response = await server.fetchHere(new Request(`http://sojourn.test${path}`, request))
    const text = await response.text()
    if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${text}`)
    return text === "" ? undefined : JSON.parse(text)
  }

  /** An organization of 100 by 100 cells with two places in it, of 20 by 20 cells each. */
  const found = async (fields: object = {}) => {
    const { id } = await call("operator:op", "POST", "/operator/organization", {
      name: `Organization ${++names}`,
      trackingMode: "anonymous",
      trackingArea: rectangle(0, 0, 100, 100),
      owner: { administratorId: "owner", mail: "owner@example.test" },
      ...fields
    })
    const place = async (left: number) =>
      (
        await call("administrator:owner", "POST", "/place", {
          organizationId: id,
          trackingArea: rectangle(left, 40, left + 20, 60)
        })
      ).id as number
    return { organizationId: id as number, west: await place(20), east: await place(60) }
  }

  return {
    ...server,
    call,
    found,
    /** `fetch` on the server, as a server over a socket answers: with the date. */
    fetch: async (url: string, request: TrackerRequest, date = Date.now()): Promise<TrackerResponse> => {
      const response = await server.fetchHere(new Request(url, request as RequestInit))
      response.headers.set("date", new Date(date).toUTCString())
      return response
    }
  }
}

/** Storage in memory. As that of browsers, its functions need to be called on it. */
class MemoryStorage {
  readonly items = new Map<string, string>()
  getItem(key: string) {
    return this.items.get(key) ?? null
  }
  setItem(key: string, value: string) {
    this.items.set(key, value)
  }
  removeItem(key: string) {
    this.items.delete(key)
  }
}

export const memoryStorage = () => new MemoryStorage()

export type Server = Awaited<ReturnType<typeof startServer>>
