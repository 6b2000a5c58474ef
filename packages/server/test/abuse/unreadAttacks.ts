/** Attacks with long answers and images, for `npm run abuse`: read as often as possible, asked for ahead, and not read. */
import { connect } from "node:net"
import { setTimeout as sleep } from "node:timers/promises"
import { IMAGES } from "../images.ts"
import type { Flood, Sent } from "./attackTools.ts"

/** What the attacks need of the run. */
export interface World {
  readonly baseUrl: string
  readonly seconds: number
  /** The token of the owner of what is attacked. */
  readonly attacker: string
  readonly organization: () => Promise<number>
  readonly send: (
    sent: Sent
  ) => Promise<{ readonly status: number; readonly headers: { readonly etag?: string | undefined } }>
  readonly flood: Flood
  /** An organization whose list of places has 25 MB. */
  readonly longList: () => Promise<number>
}

type Attack = () => Promise<ReadonlyMap<number, number>>

const MIB = 1024 * 1024
const BOX = "west=11&south=45&east=12&north=46"

/** An image of a megabyte: what follows the end of a PNG is none of it, and counts. */
const large = (() => {
  const image = new Uint8Array(MIB)
  image.set(IMAGES["image/png"])
  return image
})()

export const unreadAttacks = (world: World): Readonly<Record<string, () => Promise<Attack>>> => {
  const { baseUrl, seconds, attacker, organization, send, flood, longList } = world
  const planOf = (id: number) => `/floorplan/organization/${id}`
  const put = (id: number, level = 0): Sent => ({
    token: attacker,
    method: "PUT",
    path: `${planOf(id)}?level=${level}&${BOX}`,
    body: large,
    type: "image/png"
  })
  const withPlan = async () => {
    const id = await organization()
    const { status } = await send(put(id))
    if (status !== 200) throw new Error(`the plan is ${status}`)
    return id
  }

  /** So many connections send GETs ahead, read nothing, and are replaced once they were closed. */
  const unread = (path: string, token: string | undefined, connections = 40, ahead = 30): Attack => {
    const { hostname, port } = new URL(baseUrl)
    const authorization = token === undefined ? "" : `Authorization: Bearer ${token}\r\n`
    const requests = `GET ${path} HTTP/1.1\r\nHost: x\r\n${authorization}\r\n`.repeat(ahead)
    return async () => {
      const open = () => {
        const socket = connect(Number(port), hostname, () => socket.write(requests))
        return socket.on("error", () => {}).pause()
      }
      const sockets = Array.from({ length: connections }, open)
      const until = performance.now() + seconds * 1000
      while (performance.now() < until) {
        await sleep(1_000)
        for (const [nth, socket] of sockets.entries()) {
          socket.destroy()
          sockets[nth] = open()
        }
      }
      for (const socket of sockets) socket.destroy()
      return new Map()
    }
  }

  return {
    "64 callers read an image of 1 MiB": async () => {
      const id = await withPlan()
      return () => flood(64, () => ({ token: attacker, method: "GET", path: planOf(id) }))
    },
    "64 callers ask for an image that they have": async () => {
      const id = await withPlan()
      const { headers } = await send({ token: attacker, method: "GET", path: planOf(id) })
      const known = { "if-none-match": String(headers.etag) }
      return () => flood(64, () => ({ token: attacker, method: "GET", path: planOf(id), headers: known }))
    },
    "150 images of 1 MiB are kept at once": async () => {
      const id = await organization()
      return async () => {
        const statuses = new Map<number, number>()
        const all = Array.from({ length: 150 }, async (_, nth) => {
          const { status } = await send(put(id, nth % 50)).catch(() => ({ status: 0 }))
          statuses.set(status, (statuses.get(status) ?? 0) + 1)
        })
        await Promise.all(all)
        return statuses
      }
    },
    "8 callers keep images of 1 MiB": async () => {
      const id = await organization()
      return () => flood(8, (nth) => put(id, nth % 50))
    },
    "40 connections ask for 30 images and read nothing": async () => unread(planOf(await withPlan()), attacker),
    "40 connections ask for /docs 30 times and read nothing": async () => {
      // The page is made at the first request.
      await send({ method: "GET", path: "/docs" })
      return unread("/docs", undefined)
    },
    "40 connections ask for a list of 25 MB 30 times and read nothing": async () =>
      unread(`/place/organization/${await longList()}`, attacker)
  }
}
