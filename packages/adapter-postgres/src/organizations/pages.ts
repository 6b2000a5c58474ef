import { type Page, PAGE_ITEMS, PAGE_TEXT } from "@sojourn/core"

/**
 * Selects a page of a table with tracking areas, in the order of its ids: the rows `where` a condition holds, until the text of
 * their areas exceeds `PAGE_TEXT`, and at most `most`, in SQL. `octet_length` does not read the text.
 */
export const selectPage = (
  table: string,
  where: string,
  { id = "id", most = String(PAGE_ITEMS) }: { readonly id?: string; readonly most?: string } = {}
): string => `
select * from (
  select *, sum(octet_length(tracking_area)) over (order by ${id}) - octet_length(tracking_area) as text_before,
    lead(${id}) over (order by ${id}) is not null as has_more
  from (select * from ${table} where ${where} order by ${id} limit ${most} + 1) candidate
) page where text_before < ${PAGE_TEXT} order by ${id} limit ${most}`

/** The page that {@link selectPage} found. */
export const pageOf = <Row extends { readonly has_more: boolean }, A>(
  rows: ReadonlyArray<Row>,
  itemOf: (row: Row) => A
): Page<A> => ({ items: rows.map(itemOf), hasMore: rows.at(-1)?.has_more ?? false })
