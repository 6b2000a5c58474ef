/** Links to the administrator's organizations with their counts, and a search with pages where there are many. */
import { LevelBadge } from "../live/LevelBadge.tsx"
import type { LiveOrganization } from "../live/counts.ts"
import type { Managed } from "./model.ts"
import { hrefOf } from "../shared/route.ts"
import { usePage } from "../shared/context.ts"
import { useOneTabStop } from "../shared/useOneTabStop.ts"

/** What is looked for among many organizations, and which page of what is found is shown. */
export interface ListQuery {
  readonly search: string
  readonly page: number
}

/** How many organizations a page has. One stream may have one more: the organization that is shown. */
const PAGE_SIZE = 19

/** The organizations of a page: all of them where there is one page alone. */
export const pageOf = (all: ReadonlyArray<Managed>, { search, page }: ListQuery) => {
  if (all.length <= PAGE_SIZE + 1) return { pages: 1, page: 0, listed: all, found: all.length }
  const wanted = search.trim().toLowerCase()
  const found = all.filter(({ id, data }) => data.name.toLowerCase().includes(wanted) || String(id) === wanted)
  const pages = Math.max(Math.ceil(found.length / PAGE_SIZE), 1)
  const shown = Math.min(page, pages - 1)
  return { pages, page: shown, listed: found.slice(shown * PAGE_SIZE, (shown + 1) * PAGE_SIZE), found: found.length }
}

interface OrganizationListProps {
  /** As many as are read. */
  readonly all: ReadonlyArray<Managed>
  /** How many there are. */
  readonly total: number
  readonly shown: number | undefined
  readonly tab: string | undefined
  readonly live: ReadonlyMap<number, LiveOrganization>
  readonly query: ListQuery
  readonly onQuery: (query: ListQuery) => void
}

export const OrganizationList = ({ all, total, shown, tab, live, query, onQuery }: OrganizationListProps) => {
  const { words, formats } = usePage()
  const { pages, page, listed, found } = pageOf(all, query)
  const current = listed.findIndex(({ id }) => id === shown)
  const stops = useOneTabStop<HTMLElement>("a", Math.max(current, 0))
  return (
    <nav aria-label={words.organizations} {...stops}>
      {all.length > PAGE_SIZE + 1 && (
        <search class="bar">
          <label>
            {words.searchOrganizations}
            <input
              type="search"
              value={query.search}
              onInput={({ currentTarget }) => onQuery({ search: currentTarget.value, page: 0 })}
            />
          </label>
          <button type="button" disabled={page === 0} onClick={() => onQuery({ ...query, page: page - 1 })}>
            {words.previousPage}
          </button>
          <button type="button" disabled={page + 1 >= pages} onClick={() => onQuery({ ...query, page: page + 1 })}>
            {words.nextPage}
          </button>
          <span role="status">
            {words.foundOrganizations(formats.number(found), formats.number(page + 1), formats.number(pages))}
            {all.length < total && ` ${words.readOrganizations(formats.number(all.length), formats.number(total))}`}
          </span>
        </search>
      )}
      {listed.map(({ id, data }) => {
        const whole = live.get(id)?.whole
        return (
          <a key={id} href={hrefOf({ organizationId: id, tab })} aria-current={id === shown ? "page" : undefined}>
            <bdi>{data.name}</bdi>
            {whole !== undefined && (
              <>
                <b>{formats.number(whole.inside)}</b> <LevelBadge level={whole.level} />
              </>
            )}
          </a>
        )
      })}
    </nav>
  )
}
