/** What the attacks of `npm run abuse` are made of. */

/** A request of an attacker. */
export interface Sent {
  readonly token?: string
  readonly method: string
  readonly path: string
  readonly json?: unknown
  readonly form?: Readonly<Record<string, string>>
  readonly headers?: Readonly<Record<string, string>>
}

/** Sends requests of many callers until the time is over, and returns the number of answers per status. */
export type Flood = (callers: number, next: (nth: number) => Sent) => Promise<ReadonlyMap<number, number>>

export interface AttackTools {
  /** The token of a user. */
  readonly user: (id: string) => Promise<string>
  /** Makes an organization of this owner, and returns its id. */
  readonly organization: (administratorId: string, more: object) => Promise<number>
  readonly send: (sent: Sent) => Promise<{ readonly status: number; readonly json: any }>
  readonly flood: Flood
}
