/** The rule `publishingIntervalOf` in SQL: whether an organization answers only the counts that its events published. */

/** The publishing interval of an organization: null where its counts are exact. `mode` and `interval` are SQL. */
export const publishingInterval = (mode: string, interval: string): string =>
  `case when ${mode} = 'anonymous' and ${interval} >= 2 then ${interval} * interval '1 second' end`

/**
 * Whether an organization, whose id is `id` in SQL, has a publishing interval. A statement looks once whether any has one, and then for
 * each organization. Scalar queries and not `exists`, which PostgreSQL may hash: it would read all policies.
 */
export const hasPublishingInterval = (id: string): string => `(
  (select true from stay_policy where event_grain >= 2 limit 1) is not null
  and (
    select true from stay_policy policy
    join organization tracked on tracked.id = policy.organization_id
    where policy.organization_id = ${id} and policy.event_grain >= 2 and tracked.tracking_mode = 'anonymous'
    limit 1
  ) is not null
)`
