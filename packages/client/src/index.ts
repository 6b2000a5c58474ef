/** A client of Sojourn's HTTP interface with promises and typed results. It needs `fetch`, and nothing else. */
export { type Answer, type Outcome, outcome, Refused, RequestFailed } from "./answer.ts"
export {
  type CallOptions,
  type ClientOptions,
  type Connection,
  makeClient,
  type SojournClient,
  type StreamOptions
} from "./client.ts"
export type * from "./openapi.ts"
