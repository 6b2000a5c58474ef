/** Who is signed in, and how they sign out. */
import type { ComponentChildren } from "preact"
import { useAction } from "./shared/useAction.tsx"
import { usePage } from "./shared/context.ts"

interface AccountProps {
  /** Empty until the server accepted the token. */
  readonly who: string
  readonly isAdministrator: boolean
  readonly onSignOut: () => void
  /** The choice of the language. */
  readonly children: ComponentChildren
}

export const Account = ({ who, isAdministrator, onSignOut, children }: AccountProps) => {
  const { words, api, ask } = usePage()
  const { isWaiting, outcome, run } = useAction()
  const signOutEverywhere = async () => {
    const text = words.signOutEverywhereSure
    if (!(await ask({ text, action: words.signOutEverywhere, isDestructive: true }))) return
    run(async () => {
      await api.authentication.signOut()
      onSignOut()
    })
  }
  return (
    <>
      {who !== "" && (
        <>
          <button
            type="button"
            class="who"
            aria-label={`${words.signedInAs}: ${who}`}
            {...{ popovertarget: "account" }}
          >
            <svg viewBox="0 0 24 24" width={20} height={20} aria-hidden="true">
              <path d="M12 12a4 4 0 1 0 0-8 4 4 0 0 0 0 8zM4 21c0-4 3-6 8-6s8 2 8 6" />
            </svg>
            <bdi>{who}</bdi>
          </button>
          <div id="account" popover="auto">
            <p>
              <bdi>{who}</bdi>
            </p>
            {isAdministrator && (
              <button type="button" disabled={isWaiting} onClick={() => void signOutEverywhere()}>
                {words.signOutEverywhere}
              </button>
            )}
            <p role="status">{outcome}</p>
          </div>
        </>
      )}
      {children}
      <button type="button" class="sign-out" onClick={onSignOut}>
        {words.signOut}
      </button>
    </>
  )
}
