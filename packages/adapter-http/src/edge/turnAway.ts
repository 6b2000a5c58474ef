import { PROBLEM_TYPE, type Problem } from "../api/refusals.ts"
import type { RequestHead } from "../handlers/envelope.ts"
import { hasMoreToCome, marks, wantsProblem } from "./answer.ts"
import type { CorsHeaders } from "./cors.ts"
import type { NodeRequest, NodeResponse } from "./node.ts"
import { requestIdOf } from "./requestId.ts"

const PROBLEM = JSON.stringify({
  type: "about:blank",
  title: "Service Unavailable",
  status: 503,
  detail: "The server has more requests than it can answer now: try again later."
} satisfies Problem)

/** It is plain ASCII. */
const LENGTH = String(PROBLEM.length)

/**
 * Answers 503 as every other answer is given, and at next to no cost: for a request that there is no room for. Nobody looked
 * at its path or its credentials.
 */
export const turnAway = (request: NodeRequest, response: NodeResponse, cors?: CorsHeaders): void => {
  const head = { headers: request.headers, source: request } as unknown as RequestHead
  const asksWhy = wantsProblem(head.headers["accept"])
  const headers: Record<string, string> = {
    "content-length": asksWhy ? LENGTH : "0",
    ...marks(requestIdOf(head)),
    "retry-after": "1",
    ...cors?.(request.headers)
  }
  if (asksWhy) headers["content-type"] = PROBLEM_TYPE
  if (hasMoreToCome(head)) headers["connection"] = "close"
  response.writeHead(503, headers)
  response.end(asksWhy ? PROBLEM : undefined)
}
