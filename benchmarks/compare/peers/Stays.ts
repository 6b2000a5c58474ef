/** The port between a peer's HTTP framework and its database library: `fastify.ts` runs on two of them. */

/** A closed stay as it is listed. */
export interface Access {
  readonly id: number
  readonly organizationId: number
  readonly entranceTimestamp: string
  readonly exitTimestamp: string
  readonly exitToken: string
}

/** What is counted for an administrator. */
export interface Counted {
  /** Nothing where the administrator is not bound to the organization. */
  readonly level: string | null
  readonly counter: number
}

/** What a peer does with its database. Instants are RFC 3339. */
export interface Stays {
  /** The token of a new stay; nothing where there is no such organization. */
  readonly enter: (organizationId: number, at: string) => Promise<string | undefined>
  /** When the stay of the token ended, which an exit repeated learns as well; nothing where it cannot end so. */
  readonly leave: (organizationId: number, token: string, at: string | undefined) => Promise<string | undefined>
  /** Nothing where there is no such organization. */
  readonly count: (organizationId: number, administratorId: string) => Promise<Counted | undefined>
  /** The closed stays of these tokens, in the order of their entrances. */
  readonly list: (organizationId: number, tokens: ReadonlyArray<string>) => Promise<ReadonlyArray<Access>>
}
