/** The account that a binding by mail address reaches: the table of `docs/identity.md`, which tests check cell by cell. */

/** Who entered the mail address of an account. */
export type Writer =
  | "an operator registers the account"
  | "an operator names the first owner"
  | "the administrator's own token"
  | "an owner, with an id"
  | "an owner, with a password"
  | "an owner, with neither (invitation)"

/** The proof before the binding. */
export type Proof =
  | "nothing"
  | "the account proves the address"
  | "another account proves the address"
  | "the account's id, without the address"
  | "the account's password"

/**
 * The outcome of a binding: the account for which the address was entered, the account that proved the address, or the status
 * of a refusal. `400` in the organization that created the account means that it is already bound there.
 */
export type Outcome = "the account" | "the prover" | "400" | "404"

export interface Row {
  readonly writer: Writer
  readonly proof: Proof
  /** A binding in another organization: by id, by the address, by both, and by the address beside the id of a third account. */
  readonly id: Outcome
  readonly mail: Outcome
  readonly both: Outcome
  readonly differing: Outcome
  /** A binding by id and by the address in the organization that created the account, if one did. */
  readonly ownId?: Outcome
  readonly ownMail?: Outcome
  /** Who has the permission in the other organization after a later account proved the address. */
  readonly later: "the account" | "the prover" | "the later account"
}

const OPERATOR_S = {
  id: "the account",
  mail: "the account",
  both: "the account",
  differing: "400",
  later: "the account"
} as const
const PROVED = OPERATOR_S
const BOUND = { ownId: "400", ownMail: "400" } as const
const WRITTEN = {
  id: "the account",
  mail: "404",
  both: "the account",
  differing: "400",
  ownId: "400",
  ownMail: "404",
  later: "the account"
} as const
const DISPLACED = {
  id: "the account",
  mail: "the prover",
  both: "400",
  differing: "400",
  ownId: "400",
  ownMail: "the prover",
  later: "the prover"
} as const
const INVITED = { ...OPERATOR_S, ...BOUND, later: "the later account" } as const

export const TABLE: ReadonlyArray<Row> = [
  { writer: "an operator registers the account", proof: "nothing", ...OPERATOR_S },
  { writer: "an operator registers the account", proof: "the account proves the address", ...PROVED },
  { writer: "an operator registers the account", proof: "another account proves the address", ...OPERATOR_S },
  { writer: "an operator registers the account", proof: "the account's id, without the address", ...OPERATOR_S },
  { writer: "an operator names the first owner", proof: "nothing", ...OPERATOR_S, ...BOUND },
  { writer: "an operator names the first owner", proof: "the account proves the address", ...PROVED, ...BOUND },
  { writer: "an operator names the first owner", proof: "another account proves the address", ...OPERATOR_S, ...BOUND },
  { writer: "the administrator's own token", proof: "the account proves the address", ...PROVED },
  { writer: "the administrator's own token", proof: "another account proves the address", ...PROVED },
  { writer: "an owner, with an id", proof: "nothing", ...WRITTEN },
  { writer: "an owner, with an id", proof: "the account's id, without the address", ...WRITTEN },
  { writer: "an owner, with an id", proof: "the account proves the address", ...PROVED, ...BOUND },
  { writer: "an owner, with an id", proof: "another account proves the address", ...DISPLACED },
  { writer: "an owner, with a password", proof: "nothing", ...WRITTEN },
  { writer: "an owner, with a password", proof: "the account's password", ...WRITTEN },
  { writer: "an owner, with a password", proof: "the account proves the address", ...PROVED, ...BOUND },
  { writer: "an owner, with a password", proof: "another account proves the address", ...DISPLACED },
  { writer: "an owner, with neither (invitation)", proof: "nothing", ...INVITED },
  { writer: "an owner, with neither (invitation)", proof: "the account's id, without the address", ...INVITED },
  { writer: "an owner, with neither (invitation)", proof: "the account proves the address", ...PROVED, ...BOUND },
  {
    writer: "an owner, with neither (invitation)",
    proof: "another account proves the address",
    id: "404",
    mail: "the prover",
    both: "404",
    differing: "400",
    ownId: "404",
    ownMail: "400",
    later: "the prover"
  }
]

/** The ways in which a binding names its administrator. */
export const CELLS = ["id", "mail", "both", "differing", "ownId", "ownMail"] as const

/** The rows of the table in `docs/identity.md`: proofs with the same outcomes share one. `differing` is the same everywhere. */
export const asMarkdown = (): ReadonlyArray<string> => {
  const rows = TABLE.map(({ writer, proof, id, mail, both, ownMail = "-", later }) => ({
    writer,
    proof,
    outcomes: [id, mail, both, ownMail, later].join(" | ")
  }))
  return Object.values(Object.groupBy(rows, ({ writer, outcomes }) => `${writer} | ${outcomes}`)).map((same) => {
    const { writer, outcomes } = same![0]!
    return `| ${writer} | ${same!.map(({ proof }) => proof).join("; ")} | ${outcomes} |`
  })
}
