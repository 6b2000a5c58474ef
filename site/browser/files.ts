/** A web server of files, as plain as any. */
import { createServer } from "node:http"
import { once } from "node:events"
import { readFile } from "node:fs/promises"
import type { AddressInfo } from "node:net"
import { extname, join, normalize } from "node:path"

const TYPES: Readonly<Record<string, string>> = {
  ".html": "text/html; charset=utf-8",
  ".js": "text/javascript",
  ".css": "text/css",
  ".svg": "image/svg+xml",
  ".json": "application/json"
}

export interface Served extends AsyncDisposable {
  readonly url: string
}

/** Serves a folder on a free port of this machine. */
export const serveFiles = async (folder: string): Promise<Served> => {
  const server = createServer(async (request, response) => {
    const { pathname } = new URL(request.url!, "http://localhost")
    const file = join(folder, normalize(pathname.endsWith("/") ? `${pathname}index.html` : pathname))
    try {
      const content = await readFile(file)
      response.setHeader("content-type", TYPES[extname(file)] ?? "application/octet-stream")
      response.end(content)
    } catch {
      response.statusCode = 404
      response.end()
    }
  }).listen(0, "127.0.0.1")
  await once(server, "listening")
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections()
      server.close()
      await once(server, "close")
    }
  }
}
