import { makeExitTokenScheme, OrganizationPremises, UserId } from "@sojourn/core"
import { Option, Redacted } from "effect"
import { INSIDE, ORGANIZATION } from "./stays.ts"
import { finds, findsNothing, type Subject } from "./Subject.ts"

const key = (id: number) => ({ id, secret: Redacted.make(new Uint8Array(32).fill(id)) })

/** The tokens of every movement that is measured: one key in use, and one from before. */
export const SCHEME = makeExitTokenScheme([key(1), key(0)])

/** The token of the stay that is measured. */
export const TOKEN = Option.getOrThrow(
  SCHEME.derive(1, INSIDE.premises, { organizationId: ORGANIZATION, stayId: INSIDE.id })
)

/** Making and checking exit tokens. */
export const tokens = (): ReadonlyArray<Subject> => {
  const stay = { organizationId: ORGANIZATION, stayId: INSIDE.id }
  const premises = OrganizationPremises(ORGANIZATION)
  const user = UserId.make("user-1")
  const forged = `${TOKEN.slice(0, -1)}${TOKEN.endsWith("A") ? "B" : "A"}`
  const foreign = TOKEN.slice(1)
  return [
    finds("exit token: made", () => SCHEME.derive(1, premises, stay)),
    finds("exit token: recognized", () => SCHEME.recognize(premises, TOKEN)),
    findsNothing("exit token: refused, forged", () => SCHEME.recognize(premises, forged)),
    findsNothing("exit token: refused, not as long as a token", () => SCHEME.recognize(premises, foreign)),
    {
      name: "retry key: made of an Idempotency-Key",
      once: () => SCHEME.retryKey(user, premises, "3c5f7a52-6f0e-4c8e-9d0e-3a0d7f0f7a11"),
      isRight: (answer) => typeof answer === "string" && answer.length === 43
    }
  ]
}
