/**
 * The statements that find a schema which Citus distributes, and make it usable on its node.
 *
 * Citus runs a statement with several writes as several transactions, also where all tables are on one node. So the sessions of the stores
 * are on that node, in a second schema there, "placed": a view of each shard under its table's name, and the sequences. PostgreSQL runs what names
 * these, as if there was no Citus.
 */
import { literal } from "./settings.ts"

/** The schema of the views on the node. */
export const placedSchemaOf = (schema: string) => `${schema}_placed`

/** The node of the schema $1: each node knows it. */
export const FIND = `
select n.nodename as host, n.nodeport as port
from pg_dist_shard s
join pg_dist_placement p on p.shardid = s.shardid
join pg_dist_node n on n.groupid = p.groupid and n.noderole = 'primary'
where s.logicalrelid = to_regclass(format('%I.organization', $1::text))`

/** How many ids a sequence may issue, on one node, before the next ones are recorded as issued: the range of a cell has 8,192 times as many. */
const BLOCK = 2n ** 32n

/** The same on the node, and whether the ids of a sequence are used up by half. */
export const WATCH = `
select node.*, exists (
  select from placed_sequence where pg_sequence_last_value(name::regclass) > ceiling - ${BLOCK / 2n}
) as is_block_used
from (${FIND}) node`

/** Columns of PostgreSQL's own that statements of the stores read. */
const SYSTEM_COLUMNS = { entrance_retry: "ctid", presence_bucket: "ctid" }

/** For how long a refused statement waits: longer than a server takes to see the move, so that it runs again on the next node. */
const REFUSAL_SECONDS = 0.4

/** The seed of the key of the advisory lock: an arbitrary number. */
const PLACING_LOCK = 4_733_160_213n

/**
 * Makes the views where they are missing, or lack a column; it changes nothing else. Shards that move are dropped where they were, and their views
 * with them.
 *
 * - A trigger of each shard holds the lock that a move takes before it copies the last changes, and refuses what is written after it. That is as a
 *   deadlock to the stores, which run the statement again. Statements of a volatile function see what was committed before each of them.
 *   Once a transaction has the lock, its other triggers have nothing to do.
 * - Sequences do not move. `placed_sequence` does: all ids up to a `ceiling` may have been issued. A schema that arrives goes on after it, so
 *   ids rise, and none is issued twice.
 * - No samples are taken of people's columns: Citus does not copy that to partitions.
 */
export const place = (schema: string, unsampled: Readonly<Record<string, ReadonlyArray<string>>>): string => `
do $place$
declare
  cell constant text := ${literal(schema)};
  placed constant text := ${literal(placedSchemaOf(schema))};
  system_columns constant jsonb := ${literal(JSON.stringify(SYSTEM_COLUMNS))};
  unsampled constant jsonb := ${literal(JSON.stringify(unsampled))};
  block constant bigint := ${BLOCK};
  any_shard bigint;
  has_arrived boolean;
  t record;
begin
  perform pg_advisory_xact_lock(hashtextextended(placed, ${PLACING_LOCK}));
  select shardid into strict any_shard
  from pg_dist_shard where logicalrelid = to_regclass(format('%I.organization', cell));
  perform lock_shard_metadata(5, array[any_shard]);
  if not exists (select from pg_dist_placement natural join pg_dist_local_group where shardid = any_shard) then
    raise serialization_failure using message = 'the schema is on another node';
  end if;

  create temporary table shard on commit drop as
  select relname as name, logicalrelid as of_table, shard_name(logicalrelid, shardid)::regclass as id,
    to_regclass(format('%I.%I', placed, relname)) as view
  from pg_dist_shard join pg_class on oid = logicalrelid
  where relnamespace = quote_ident(cell)::regnamespace;
  has_arrived := not exists (select from shard where name = 'organization' and view is not null);

  if exists (
    select from shard join pg_attribute a on attrelid = id and attnum > 0 and not attisdropped
    where not exists (select from pg_attribute where attrelid = view and attname = a.attname)
  ) then
    execute format('create schema if not exists %I', placed);
    execute format($create$
      create or replace function %I.require_placement() returns trigger language plpgsql as $body$
      begin
        if current_setting('sojourn.is_placed', true) = 'yes' then
          return null;
        end if;
        perform lock_shard_metadata(5, array[%s]::bigint[]);
        if not exists (select from pg_dist_placement where shardid = %2$s and groupid = %s) then
          perform pg_sleep(${REFUSAL_SECONDS});
          raise serialization_failure using message = 'the schema is on another node';
        end if;
        perform set_config('sojourn.is_placed', 'yes', true);
        return null;
      end
      $body$
    $create$, placed, any_shard, (select groupid from pg_dist_local_group));
    for t in select * from shard loop
      execute format('drop view if exists %I.%I', placed, t.name);
      execute format('create view %I.%I as select *%s from %s', placed, t.name, ', ' || (system_columns ->> t.name), t.id);
      execute format('create or replace trigger require_placement before insert or update or delete on %s
        for each statement execute function %I.require_placement()', t.id, placed);
    end loop;
    for t in
      select id, attname from shard join jsonb_each(unsampled) u on u.key = name
        join pg_attribute on attrelid = id and u.value ? attname and attstattarget <> 0
    loop
      execute format('alter table %s alter column %I set statistics 0', t.id, t.attname);
    end loop;
    if has_arrived then
      for t in execute format('select name, last, ceiling from %I.placed_sequence', placed) loop
        execute format('drop sequence if exists %I.%I', placed, t.name);
        execute format('create sequence %I.%I minvalue %s maxvalue %s', placed, t.name, t.ceiling + 1, least(t.last, t.ceiling + block));
        execute format('update %I.placed_sequence set ceiling = $1 where name = $2', placed)
        using least(t.last, t.ceiling + block), t.name;
      end loop;
    end if;
    for t in
      select name, attname, sequence.relname as sequence
      from shard
      join pg_attrdef d on adrelid = of_table
      join pg_attribute on attrelid = adrelid and attnum = adnum
      join pg_depend on classid = 'pg_attrdef'::regclass and objid = d.oid and refclassid = 'pg_class'::regclass
      join pg_class sequence on sequence.oid = refobjid and relkind = 'S'
    loop
      execute format('alter view %I.%I alter %I set default nextval(%L)', placed, t.name, t.attname,
        format('%I.%I', placed, t.sequence));
    end loop;
  end if;

  for t in execute format('select name, last, ceiling from %I.placed_sequence', placed) loop
    if pg_sequence_last_value(format('%I.%I', placed, t.name)::regclass) > t.ceiling - block / 2 and t.ceiling < t.last then
      execute format('update %I.placed_sequence set ceiling = $1 where name = $2', placed)
      using least(t.last, t.ceiling + block), t.name;
      execute format('alter sequence %I.%I maxvalue %s', placed, t.name, least(t.last, t.ceiling + block));
    end if;
  end loop;
end
$place$`
