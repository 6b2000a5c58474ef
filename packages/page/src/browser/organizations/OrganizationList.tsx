/** The list of the administrator's organizations, the most urgent first: who is inside, how full they are, and what needs attention. */
import type { Live } from "../live/useLive.ts"
import { LevelBadge } from "../live/LevelBadge.tsx"
import { useOpened } from "../shared/context.ts"
import { hrefOf } from "../shared/route.ts"
import { useOneTabStop } from "../shared/useOneTabStop.ts"
import { Search } from "../shared/fields.tsx"
import { PageButtons } from "../shared/usePages.tsx"
import type { Managed } from "./model.ts"
import { fullnessOf, type ListQuery, PAGE_SIZE, pageOf, placesAt, urgencyOf } from "./order.ts"
import { Fullness, SoftNumber } from "./SoftNumber.tsx"
import { useSilence } from "./Attention.tsx"

interface OrganizationListProps {
  /** As many as are read. */
  readonly all: ReadonlyArray<Managed>
  /** How many there are. */
  readonly total: number
  readonly live: Live
  /** The kinds of open musters by the organization. */
  readonly musters: ReadonlyMap<number, "drill" | "evacuation">
  readonly query: ListQuery
  readonly onQuery: (query: ListQuery) => void
}

const OrganizationList = ({ all, total, live, musters, query, onQuery }: OrganizationListProps) => {
  const { words, formats } = useOpened()
  const { pages, page, listed, found } = pageOf(all, query)
  const silentOf = useSilence(
    listed.map(({ id }) => id),
    live
  )
  const { organizations } = live.counts
  const rows = listed
    .map(({ id, data: { name } }) => {
      const { whole, places: counts } = organizations.get(id) ?? {}
      const places = [...(counts?.values() ?? [])].map((count) => ({ count }))
      const [over, full] = [placesAt(places, "over").length, placesAt(places, "full").length]
      return { id, name, muster: musters.get(id), whole, over, full, silent: silentOf(id) }
    })
    .sort((a, b) => urgencyOf(a) - urgencyOf(b))
  const stops = useOneTabStop<HTMLUListElement>("a")
  const { number } = formats
  return (
    <nav class="organizations" aria-labelledby="organizations">
      <h1 id="organizations">{words.organizations}</h1>
      {(all.length > 1 || query.search !== "") && (
        <search class="bar">
          <Search
            label={words.searchOrganizations}
            value={query.search}
            onSearch={(search) => onQuery({ search, page: 0 })}
          />
          {all.length > PAGE_SIZE + 1 && (
            <PageButtons page={page} last={pages - 1} onPage={(page) => onQuery({ ...query, page })} />
          )}
          <span role="status">
            {(pages > 1 || query.search !== "") &&
              words.foundOrganizations(number(found), number(page + 1), number(pages))}
            {all.length < total && ` ${words.readOrganizations(number(all.length), number(total))}`}
          </span>
        </search>
      )}
      <ul {...stops}>
        {rows.map(({ id, name, muster, whole, over, full, silent }) => (
          <li key={id}>
            <a href={hrefOf({ organizationId: id })}>
              <span dir="auto" class="name">
                {name}
              </span>
              <span class="total">
                {whole !== undefined && (
                  <>
                    <b>
                      <SoftNumber value={whole.inside} />
                    </b>
                    {whole.capacity !== undefined && ` / ${number(whole.capacity)}`}
                  </>
                )}
              </span>
              {whole?.capacity !== undefined && <Fullness level={whole.level} part={fullnessOf({ count: whole })!} />}
              <span class="needs">
                {muster !== undefined && <span class={`badge ${muster}`}>{words[muster]}</span>}
                {whole !== undefined && <LevelBadge level={whole.level} />}
                {over > 0 && <span class="badge over">{words.placesOver(number(over))}</span>}
                {full > 0 && <span class="badge full">{words.placesFull(number(full))}</span>}
                {silent > 0 && <span class="badge warning">{words.silent(number(silent))}</span>}
              </span>
            </a>
          </li>
        ))}
      </ul>
    </nav>
  )
}

export default OrganizationList
