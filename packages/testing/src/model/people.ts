/** The people of the authentication server in model runs, in the order in which it knows them. */
export const PEOPLE: ReadonlyArray<{ readonly person: string; readonly name: string; readonly surname: string }> = [
  { person: "ada", name: "Ada", surname: "Lovelace" },
  { person: "alan", name: "Alan", surname: "Turing" },
  { person: "grace", name: "Grace", surname: "Hopper" }
]
