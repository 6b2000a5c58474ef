/** What the attacks of `npm run abuse` are made of. */
import type { HttpRequest } from "../httpClient.ts"

/** A request of an attacker. */
export interface Sent extends Pick<HttpRequest, "token" | "path" | "json" | "form" | "body" | "type" | "headers"> {
  readonly method: string
}

/** Sends requests of many callers until the time is over, and returns the number of answers per status. */
export type Flood = (callers: number, next: (nth: number) => Sent) => Promise<ReadonlyMap<number, number>>

export interface AttackTools {
  /** The token of a user. */
  readonly user: (id: string) => Promise<string>
  /** Makes an organization of the attacker, and returns its id. */
  readonly organization: (more: object) => Promise<number>
  readonly send: (sent: Sent) => Promise<{ readonly status: number; readonly json: any }>
  readonly flood: Flood
}
