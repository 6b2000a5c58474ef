/** What the tab keeps of musters for when there is no connection: in its session storage, until the sign-out. */

const PREFIX = "sojourn.muster."

/** What was kept under a name by the same account. */
export const readKept = <A>(name: string, account: string): A | undefined => {
  try {
    const kept = JSON.parse(sessionStorage.getItem(PREFIX + name) ?? "{}") as {
      readonly account?: string
      readonly value?: A
    }
    return kept.account === account ? kept.value : undefined
  } catch {
    return undefined
  }
}

/** Keeps something, or nothing under the name. What the storage has no room for is in memory alone. */
export const keep = (name: string, account: string, value: unknown): void => {
  try {
    if (value === undefined) sessionStorage.removeItem(PREFIX + name)
    else sessionStorage.setItem(PREFIX + name, JSON.stringify({ account, value }))
  } catch {}
}

/** Forgets everything. */
export const forgetKept = (): void => {
  for (const key of Object.keys(sessionStorage)) if (key.startsWith(PREFIX)) sessionStorage.removeItem(key)
}

/** Whether anything is kept, such as marks that wait to be sent. */
export const hasKept = (): boolean => Object.keys(sessionStorage).some((key) => key.startsWith(PREFIX))
