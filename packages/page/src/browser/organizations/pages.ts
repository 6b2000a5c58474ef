/** The pages of a list of many organizations. */
import type { Managed } from "./model.ts"

/** What is looked for among many organizations, and which page of what is found is shown. */
export interface ListQuery {
  readonly search: string
  readonly page: number
}

/** How many organizations a page has. One stream may have one more: the organization that is shown. */
export const PAGE_SIZE = 19

/** The organizations of a page: all of them where there is one page alone. */
export const pageOf = (all: ReadonlyArray<Managed>, { search, page }: ListQuery) => {
  const wanted = search.trim().toLowerCase()
  const found = all.filter(({ id, data }) => data.name.toLowerCase().includes(wanted) || String(id) === wanted)
  const size = all.length <= PAGE_SIZE + 1 ? PAGE_SIZE + 1 : PAGE_SIZE
  const pages = Math.max(Math.ceil(found.length / size), 1)
  const shown = Math.min(page, pages - 1)
  return { pages, page: shown, listed: found.slice(shown * size, (shown + 1) * size), found: found.length }
}
