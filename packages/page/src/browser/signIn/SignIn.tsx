/** The forms for signing in: with an OpenID Connect issuer, by user name and password, or by a token. */
import { Refused } from "@sojourn/client"
import type { ComponentChildren, TargetedSubmitEvent } from "preact"
import { useState } from "preact/hooks"
import type { SignInIssuer } from "../shared/PageSettings.ts"
import { type Session, sessionOf, signIn } from "../shared/session.ts"
import { settings } from "../shared/settings.ts"
import { sentenceOf } from "../words/sentenceOf.ts"
import { usePage } from "../shared/context.ts"
import { refusalOf } from "./refusal.ts"
import type { Words } from "../words/languages.ts"

const faultOf = (words: Words, failure: unknown): string => {
  const status = failure instanceof Refused ? failure.status : undefined
  if (status === 400) return words.signInWrong
  if (status === 404) return words.signInElsewhere
  if (status === 429) return words.signInDelayed
  return sentenceOf(words, failure)
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

  // The first of the ways that are configured leads.
  const hasIssuers = (settings.issuers?.length ?? 0) > 0
  const hasPasswords = settings.passwords !== false
  const finish = async (signedIn: () => Promise<Session | undefined>, describe = sentenceOf) => {
    setIsWaiting(true)
    setFault("")
    try {
      const session = await signedIn()
      setFault((session === undefined ? words.tokenWrong : await onSignedIn(session, keep)) ?? "")
    } catch (failure) {
      setFault(describe(words, failure))
    } finally {
      setIsWaiting(false)
    }
  }
  const withPassword = (event: TargetedSubmitEvent<HTMLFormElement>) => {
    event.preventDefault()
    const form = new FormData(event.currentTarget)
    void finish(() => signIn(String(form.get("username")), String(form.get("password"))), faultOf)
  }
  const withIssuer = async (issuer: SignInIssuer) => {
    setIsWaiting(true)
    setFault("")
    try {
      // Before the issuer is asked: browsers open windows for a press alone.
      const other = isOver ? open("about:blank") : undefined
      const { redirectToIssuer } = await import("./openId.ts")
      await redirectToIssuer(issuer, keep, other, (token) => void finish(async () => sessionOf(token)))
      if (isOver) setIsWaiting(false)
    } catch (failure) {
      setFault(refusalOf(words, failure))
      setIsWaiting(false)
    }
  }
  const withToken = (event: TargetedSubmitEvent<HTMLFormElement>) => {
    event.preventDefault()
    const text = String(new FormData(event.currentTarget).get("token"))
    void finish(async () => sessionOf(text))
  }

  return (
    <>
      <p role="alert" class="fault">
        {fault}
      </p>
      {settings.issuers?.map((issuer, nth) => (
        <p key={issuer.issuer}>
          <button
            type="button"
            class={nth === 0 ? "primary" : ""}
            disabled={isWaiting}
            onClick={() => void withIssuer(issuer)}
          >
            {words.signInWith(issuer.label ?? new URL(issuer.issuer).host)}
          </button>
        </p>
      ))}
      {hasPasswords && (
        <form onSubmit={withPassword}>
          <h2>{words.withPassword}</h2>
          <label>
            {words.userName}
            <input name="username" autocomplete="username" required />
          </label>
          <label>
            {words.password}
            <input name="password" type="password" autocomplete="current-password" required />
          </label>
          <button type="submit" class={hasIssuers ? "" : "primary"} disabled={isWaiting}>
            {words.signIn}
          </button>
        </form>
      )}
      <form onSubmit={withToken}>
        <h2>{words.withToken}</h2>
        <label>
          {words.token}
          <input name="token" type="password" autocomplete="off" required />
        </label>
        <button type="submit" class={hasIssuers || hasPasswords ? "" : "primary"}>
          {words.signIn}
        </button>
      </form>
      <label class="check">
        <input type="checkbox" checked={keep} onChange={({ currentTarget }) => setKeep(currentTarget.checked)} />
        {words.keepSession}
      </label>
    </>
  )
}

interface SignInProps extends SignInFormsProps {
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
