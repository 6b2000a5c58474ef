/**
 * Answers 503 to a request that the server has no capacity for, at next to no cost: neither its path nor its credentials are
 * read. The answer has the headers of every answer.
 */
import { PROBLEM_URIS } from "../api/shared/problems.ts"
import { PROBLEM_TYPE, type Problem } from "../api/shared/refusals.ts"
import { commonHeaders, hasLongRest, wantsProblem } from "./answer.ts"
import type { CorsHeaders } from "./cors.ts"
import { writeWhole } from "./nodeAnswer.ts"
import type { NodeRequest, NodeResponse } from "./nodeTypes.ts"
import type { RequestHead } from "./requestHead.ts"
import { requestIdOf } from "./requestId.ts"

const PROBLEM = JSON.stringify({
  type: PROBLEM_URIS.ServerUnavailable,
  title: "Service Unavailable",
  status: 503,
  detail: "The server has more requests than it can answer now: try again later."
} satisfies Problem)

/** In bytes: the text is ASCII. */
const LENGTH = String(PROBLEM.length)

export const rejectOverload = (request: NodeRequest, response: NodeResponse, cors?: CorsHeaders): void => {
  const head = { method: "", url: "", headers: request.headers as RequestHead["headers"], source: request }
  const isProblemWanted = wantsProblem(head.headers["accept"])
  const headers: Record<string, string> = {
    "content-length": isProblemWanted ? LENGTH : "0",
    ...commonHeaders(requestIdOf(head)),
    "retry-after": "1",
    ...cors?.(request.headers)
  }
  if (isProblemWanted) headers["content-type"] = PROBLEM_TYPE
  if (hasLongRest(head)) headers["connection"] = "close"
  writeWhole(request, response, 503, headers, isProblemWanted ? PROBLEM : undefined)
}
