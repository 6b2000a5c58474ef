/** The forms for signing in: with an OpenID Connect issuer, by user name and password, or by a token. */
import { Refused } from "@sojourn/client"
import type { ComponentChildren, TargetedSubmitEvent } from "preact"
import { useState } from "preact/hooks"
import type { SignInIssuer } from "../shared/PageSettings.ts"
import { Check, Field } from "../shared/fields.tsx"
import { type Session, sessionOf, signIn } from "../shared/session.ts"
import { settings } from "../shared/settings.ts"
import { sentenceOf } from "../words/sentenceOf.ts"
import { usePage } from "../shared/context.ts"
import { Fault } from "../shared/NotLoaded.tsx"
import type { Words } from "../words/languages.ts"
import { ActionButton } from "../shared/ActionButton.tsx"

const faultOf = (words: Words, failure: unknown): string => {
  const status = failure instanceof Refused ? failure.status : undefined
  if (status === 400) return words.signInWrong
  if (status === 404) return words.signInElsewhere
  if (status === 429) return words.signInDelayed
  return sentenceOf(words, failure)
}

/** Why signing in with an issuer did not succeed. The part that signs in is loaded only then, and known by its errors. */
export const refusalOf = (words: Words, failure: unknown): string => {
  const { reason } = failure as { readonly reason?: string }
  return reason === undefined ? words.issuerNotReached : words.issuerRefused(reason)
}

interface SignInFormsProps {
  /** Why the administrator is to sign in again. */
  readonly fault: string
  /** Whether the page stays open behind the forms, so that an issuer's own page opens in another window. */
  readonly isOver?: boolean
  /** Answers why the session is not taken, if so. */
  readonly onSignedIn: (session: Session, keep: boolean) => string | void | Promise<string | void>
}

export const SignInForms = ({ fault: before, isOver = false, onSignedIn }: SignInFormsProps) => {
  const { words } = usePage()
  const [keep, setKeep] = useState(false)
  const [fault, setFault] = useState(before)
  const [isWaiting, setIsWaiting] = useState(false)
  const issuers = settings.issuers ?? []
  // The first of the ways that are configured leads.
  const hasPasswords = settings.passwords !== false
  const classOf = (isFirst: boolean) => (isFirst ? "primary" : "")

  const attempt = async (work: () => Promise<string | void>, describe: typeof faultOf) => {
    setIsWaiting(true)
    setFault("")
    setFault((await work().catch((failure: unknown) => describe(words, failure))) ?? "")
    setIsWaiting(false)
  }
  const finish = (signedIn: () => Promise<Session | undefined> | Session | undefined) =>
    attempt(async () => {
      const session = await signedIn()
      return session === undefined ? words.tokenWrong : onSignedIn(session, keep)
    }, faultOf)
  const submit =
    (signedIn: (field: (name: string) => string) => ReturnType<typeof signIn> | Session | undefined) =>
    (event: TargetedSubmitEvent<HTMLFormElement>) => {
      event.preventDefault()
      const data = new FormData(event.currentTarget)
      void finish(() => signedIn((name) => String(data.get(name))))
    }
  const withIssuer = (issuer: SignInIssuer) =>
    attempt(async () => {
      // Before the issuer is asked: browsers open windows for a press alone.
      const other = isOver ? open("about:blank") : undefined
      const { redirectToIssuer } = await import("./openId.ts")
      await redirectToIssuer(issuer, keep, other, (token) => void finish(() => sessionOf(token)))
    }, refusalOf)

  return (
    <>
      <Fault>{fault}</Fault>
      {issuers.map((issuer, nth) => (
        <p key={issuer.issuer}>
          <ActionButton
            action={words.signInWith(issuer.label ?? new URL(issuer.issuer).host)}
            class={classOf(nth === 0)}
            disabled={isWaiting}
            onClick={() => void withIssuer(issuer)}
          />
        </p>
      ))}
      {hasPasswords && (
        <form onSubmit={submit((field) => signIn(field("username"), field("password")))}>
          <h2>{words.withPassword}</h2>
          <Field label={words.userName} name="username" autocomplete="username" required />
          <Field label={words.password} name="password" type="password" autocomplete="current-password" required />
          <ActionButton
            action={words.signIn}
            type="submit"
            class={classOf(issuers.length === 0)}
            disabled={isWaiting}
          />
        </form>
      )}
      <form onSubmit={submit((field) => sessionOf(field("token")))}>
        <h2>{words.withToken}</h2>
        <Field label={words.token} name="token" type="password" autocomplete="off" required />
        <ActionButton action={words.signIn} type="submit" class={classOf(issuers.length === 0 && !hasPasswords)} />
      </form>
      <Check checked={keep} onChange={({ currentTarget }) => setKeep(currentTarget.checked)}>
        {words.keepSession}
      </Check>
    </>
  )
}

interface SignInProps extends SignInFormsProps {
  /** The choice of the language. */
  readonly choice: ComponentChildren
}

export const SignIn = ({ choice, ...props }: SignInProps) => {
  const { words } = usePage()
  return (
    <main class="sign-in">
      <div class="bar">
        <h1>{words.title}</h1>
        {choice}
      </div>
      <SignInForms {...props} />
    </main>
  )
}
