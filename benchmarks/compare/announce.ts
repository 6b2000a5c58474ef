import type { AddressInfo, Server } from "node:net"

/** Says where a peer or a wire listens, as Sojourn does, and ends with the comparison, whatever way that ends. */
export const announce = (server: Server): void => {
  const { port } = server.address() as AddressInfo
  console.log(`listening on http://127.0.0.1:${port}`)
  process.once("disconnect", () => process.exit())
}
