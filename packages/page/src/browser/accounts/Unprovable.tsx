/** Says, where a mail address would be invited, that no issuer of the server proves addresses. */
import { useOpened } from "../shared/context.ts"
import { settings } from "../shared/settings.ts"

export const Unprovable = () => {
  const { words } = useOpened()
  return settings.provesMail === false ? <p class="fault">{words.unprovable}</p> : null
}
