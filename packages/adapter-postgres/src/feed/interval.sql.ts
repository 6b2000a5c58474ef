/** The rule `publishingIntervalOf` in SQL: whether an organization answers only the counts that its events published. */

/** The rule `publishingMode` of the organization `o`: whether counts are published by the rules of anonymous organizations. */
const isAnonymous = (o: string): string => `(${o}.tracking_mode = 'anonymous' or ${o}.anonymous_until is not null)`

/** The same as a tracking mode. */
export const publishingMode = (o: string): string =>
  `case when ${isAnonymous(o)} then 'anonymous' else 'authenticated' end`

/** The publishing interval of the organization `o`: null where its counts are exact. `interval` is SQL. */
export const publishingInterval = (o: string, interval: string): string =>
  `case when ${isAnonymous(o)} and ${interval} >= 2 then ${interval} * interval '1 second' end`

/**
 * Whether an organization, whose id is `id` in SQL, has a publishing interval. A statement looks once whether any has one, and then for
 * each organization. Scalar queries and not `exists`, which PostgreSQL may hash: it would read all policies.
 */
export const hasPublishingInterval = (id: string): string => `(
  (select true from stay_policy where event_grain >= 2 limit 1) is not null
  and (
    select true from stay_policy policy
    join organization tracked on tracked.id = policy.organization_id
    where policy.organization_id = ${id} and policy.event_grain >= 2 and ${isAnonymous("tracked")}
    limit 1
  ) is not null
)`
