/**
 * Statements that return a row for each violation of what holds in every snapshot of a database: the open stays of premises and the people
 * counted are what their last event says, plus the pending changes.
 */

/** Premises whose open stays are not what their feed says. One statement sees one snapshot. */
export const COUNT_VIOLATIONS = `
select organization_id, place_id, sum(open)::int as open, sum(published)::int as published, sum(pending)::int as pending
from (
  select organization_id, place_id, 1 as open, 0 as published, 0 as pending from open_stay
  union all
  select organization_id, place_id, counted, 0, 0 from counted_people
  union all
  select organization_id, place_id, 0, 0, entered - departed from pending_change
  union all
  select h.organization_id, h.place_id, 0, e.inside, 0
  from presence_totals h
  cross join lateral (
    select inside from presence_event
    where organization_id = h.organization_id and place_id = h.place_id and type = 'presence.changed'
    order by version desc
    limit 1
  ) e
) counts
group by organization_id, place_id
having sum(open) <> sum(published) + sum(pending)`

/** Organizations whose events do not follow each other up to the version of their feed, and premises whose sums are wrong. */
export const FEED_VIOLATIONS = `
select f.organization_id, 0::bigint as place_id from presence_feed f
left join lateral (
  select max(version) as last, max(version) - min(version) + 1 - count(*) as missing
  from presence_event where organization_id = f.organization_id
) e on true
where f.version <> coalesce(e.last, 0) or e.missing <> 0
union all
select organization_id, place_id from (
  select organization_id, place_id, inside, sum(entered - departed) over premises as sum
  from presence_event
  where type = 'presence.changed' and organization_id in (
    select organization_id from presence_event group by organization_id having min(version) = 1
  )
  window premises as (partition by organization_id, place_id order by version)
) sums
where inside <> sum`
