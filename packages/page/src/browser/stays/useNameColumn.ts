import { useOpened } from "../shared/context.ts"
import { nameIn, namesOf } from "./names.ts"

/** The column of people's names in a table of them; none where no names were read. */
export const useNameColumn = (organizationId: number) => {
  const { words, api } = useOpened()
  const names = namesOf(api, organizationId)
  const cell = ({ orgAuthServerId }: { readonly orgAuthServerId: string }) => nameIn(names, orgAuthServerId) || "–"
  return names.size === 0 ? [] : [{ title: words.name, cell }]
}
