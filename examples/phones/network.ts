/** A network as phones have it: a request is lost on its way, or it arrives and its answer is lost on the way back. */

/** `fetch` on a network on which one request in so many breaks, half of them after they did their work. */
export const badFetch =
  (oneIn: number, onBreak: () => void) =>
  async (url: string, request: RequestInit): Promise<Response> => {
    const luck = Math.random() * oneIn
    if (luck < 0.5) {
      onBreak()
      throw new TypeError("the connection broke")
    }
    const response = await fetch(url, request)
    if (luck < 1) {
      onBreak()
      await response.body?.cancel()
      throw new TypeError("the connection broke")
    }
    return response
  }
