-- Statements of domain/src/members/members.list.ts. psql runs this file unchanged. platform/lists/sql-file.ts describes
-- what the server changes.

\set statuses '{Active,Suspended}'
\set id 00000000-0000-4000-8000-000000000001
\set group_id 00000000-0000-4000-8000-000000000001
\set group_ids '{00000000-0000-4000-8000-000000000001}'
\set policy_id 00000000-0000-4000-8000-000000000001
\set policy_ids '{00000000-0000-4000-8000-000000000001}'
\set tier_id 00000000-0000-4000-8000-000000000001
\set tier_ids '{00000000-0000-4000-8000-000000000001}'
\set key_id 00000000-0000-4000-8000-000000000001
\set ids '{00000000-0000-4000-8000-000000000001}'
\set word '%nkosi%'
\set member_word '%nkosi%'
\set short_word '(^|[ \n])nk'
\set second_word '%thabo%'
\set more_words '{%a%}'
\set address '%nkosi@acme.example%'
\set part any
\set found_word '%nkosi%'
\set found_words '{%thabo%}'
\set text '%nkosi%'
\set short_text '(^|[ \n])nk'
\set today 2026-01-01
\set take 25
\set skip 0
\set last 24
\set reach 25
\set few 10000
\set limit 2500
\set limit_more 2501
\set other_limit 2500
\set other_limit_more 2501
\set count_limit 100000

-- The members that the filters match. Keys of other tables are only selected for their sort.
select $$
  select m.*
    , m.search_key as search_text -- if unmasked
    -- or masked: , (m.name_key || E'\n' || lower(m.number) || E'\n' || lower(m.employee_number) || E'\n' || lower(m.email)) as search_text
    , lower(g.name) as group_key -- if group_key
    , p.number as policy_number -- if policy_number
    , t.position as tier_position -- if tier_position
  from members m
  left join employer_groups g on g.id = m.group_id -- if group_key
  left join policies p on p.id = m.policy_id -- if policy_number
  left join benefit_tiers t on t.id = m.tier_id -- if tier_position
  where true
    and m.id = :'id' -- if id
    and m.group_id = :'group_id' -- if group_id
    and m.group_id = any (:'group_ids'::uuid[]) -- if group_ids
    and m.policy_id = :'policy_id' -- if policy_id
    and m.policy_id = any (:'policy_ids'::uuid[]) -- if policy_ids
    and m.tier_id = :'tier_id' -- if tier_id
    and m.tier_id = any (:'tier_ids'::uuid[]) -- if tier_ids
    and m.to_complete <> '{}' and m.status <> 'Terminated' -- if to_complete
$$ as source \gset

-- The row next to a page, or the last row that it can contain.
select $$
  select m.*, lower(g.name) as group_key, p.number as policy_number, t.position as tier_position
  from members m
  left join employer_groups g on g.id = m.group_id
  left join policies p on p.id = m.policy_id
  left join benefit_tiers t on t.id = m.tier_id
  where m.id = :'key_id'
$$ as key \gset

-- The page of a tab. Keys of other tables are never null, but the conditions let PostgreSQL start at their indexes.
select $$
    and s.status = any (:'statuses'::text[]) -- if statuses
    and s.group_key is not null -- if group_key
    and s.policy_number is not null -- if policy_number
    and s.tier_position is not null -- if tier_position
    and (s.last_name_key, s.name_key, s.id) > (select k.last_name_key, k.name_key, k.id from key k) -- after
  order by s.last_name_key, s.name_key, s.id -- sort
  limit :'take' offset :'skip'
$$ as page \gset

-- Columns to count and sort the matches of a search.
select $$
  s.id, s.status, s.last_name_key, s.name_key, s.number, s.employee_number, s.start_on
    , s.group_key -- if group_key
    , s.policy_number -- if policy_number
    , s.tier_position -- if tier_position
$$ as columns \gset

-- Whether a member's names, numbers and address contain every word. The longest words are first, for the index.
select $$
  (true
    and s.search_text like :'member_word' -- if member_word
    and s.search_text ~ :'short_word' -- if short_word
    and s.search_text like :'second_word' -- if second_word
    and s.search_text like all (:'more_words'::text[]) -- if more_words
    and s.search_text || '' like :'address' -- if address
  )
$$ as has_words \gset

select $$
  select d.member_id as id from dependents d
  where true
    and lower(d.first_name || ' ' || d.last_name) like :'word' -- if word
    and lower(d.first_name || ' ' || d.last_name) ~ :'short_word' -- if short_word
    and lower(d.first_name || ' ' || d.last_name) like :'second_word' -- if second_word
    and lower(d.first_name || ' ' || d.last_name) like all (:'more_words'::text[]) -- if more_words
$$ as members_of_dependents \gset

select $$
  select g.id from employer_groups g
  where true
    and lower(g.name) like :'text' -- if text
    and lower(g.name) ~ :'short_text' -- if short_text
$$ as groups_named \gset

select $$
  (:has_words
    -- if dependent
    or s.id in (
      :members_of_dependents -- if all_groups
      -- or own_groups: select members_of_dependents(:'found_word', :'found_words'::text[], null)
    )
    -- end
    or s.group_id = any (array(:groups_named))
  )
$$ as matches \gset

-- name: page
with
key as materialized (:key), -- if key_id
source as not materialized (:source)
select s.id from source s
where true
  :page;

-- name: page_by_tier
-- The same by tier, if only a tab filters all members. It reads as many members per tier as the page can contain: large
-- tiers by the id index, small tiers by sorting.
select s.id
from (
  select t.position as tier_position, m.id
  from benefit_tiers t
  cross join lateral (
    select count(*) < :'few' as is_few from (
      select from members s
      where s.tier_id = t.id
        and s.status = any (:'statuses'::text[]) -- if statuses
      limit :'few') counted
  ) size
  cross join lateral (
    (select s.id from members s
      where s.tier_id = t.id and not size.is_few
        and s.status = any (:'statuses'::text[]) -- if statuses
      order by s.id -- sort by id
      limit :'reach')
    union all
    (select s.id from (
        select s.id from members s
        where s.tier_id = t.id and size.is_few
          and s.status = any (:'statuses'::text[]) -- if statuses
        limit :'few') s
      order by s.id -- sort by id
      limit :'reach')
  ) m
) s
order by s.tier_position, s.id -- sort
limit :'take' offset :'skip';

-- name: figures
-- Members by status, from member_counts.
select c.status as value, jsonb_build_object('count', c.count) as figures
from (
  select coalesce(sum(pending), 0) as pending, coalesce(sum(active), 0) as active,
    coalesce(sum(suspended), 0) as suspended, coalesce(sum(terminated), 0) as terminated
  from member_counts m
  where true
    and m.group_id = :'group_id' -- if group_id
    and m.group_id = any (:'group_ids'::uuid[]) -- if group_ids
    and m.policy_id = :'policy_id' -- if policy_id
    and m.policy_id = any (:'policy_ids'::uuid[]) -- if policy_ids
) m
cross join lateral (
  values ('Pending', m.pending), ('Active', m.active), ('Suspended', m.suspended), ('Terminated', m.terminated)
) c (status, count);

-- name: counted_figures
-- The same for a tier or for missing details, which member_counts does not have. Counts each status up to a limit.
with source as not materialized (:source)
select t.status as value, jsonb_build_object('count', (
  select count(*) from (select from source s where s.status = t.status limit :'count_limit' + 1) counted)) as figures
from unnest('{Pending,Active,Suspended,Terminated}'::text[]) as t (status);

-- name: search
-- Each way to match collects at most limit + 1 rows. `overflows` means that there are more. `bound` is the last match
-- that the page can contain. With the row `key`, all matches up to it are collected.
with
key as materialized (:key), -- if key_id
source as not materialized (:source),
-- if own_groups
by_part as materialized (
  -- Row-level security prevents use of the index, so the function searches the index for the groups of the user.
  select members_found(:'part', :'found_word', :'found_words'::text[]
    , null, null -- if every_name
    -- or from_name: , (select k.last_name_key from key k), null
    -- or to_name: , null, (select k.last_name_key from key k)
    , :'limit_more') as id
),
-- end
-- if dependent
by_dependent as materialized (
  :members_of_dependents limit :'limit_more' -- if all_groups
  -- or own_groups: select members_of_dependents(:'found_word', :'found_words'::text[], :'limit_more') as id
),
-- end
by_group as materialized (:groups_named limit :'other_limit_more'),
hits as materialized (
  -- if all_groups
  (select :columns from source s
    where :has_words
      and (s.last_name_key, s.name_key, s.id) <= (select k.last_name_key, k.name_key, k.id from key k) -- until
    limit :'limit_more')
  union
  -- end
  -- if own_groups
  (select :columns from source s
    where s.id = any (array(select id from by_part))
      and (s.last_name_key, s.name_key, s.id) <= (select k.last_name_key, k.name_key, k.id from key k) -- until
    limit :'limit_more')
  union
  -- end
  -- if dependent
  (select :columns from source s
    where s.id = any (array(select id from by_dependent))
      and (s.last_name_key, s.name_key, s.id) <= (select k.last_name_key, k.name_key, k.id from key k) -- until
    limit :'limit_more')
  union
  -- end
  (select :columns from source s
    where s.group_id = any (array(select id from by_group))
      and (s.last_name_key, s.name_key, s.id) <= (select k.last_name_key, k.name_key, k.id from key k) -- until
    limit :'limit_more')
)
select
  array(
    select s.id from hits s
    where true
      :page
  ) as ids
  -- if figures
  , (select coalesce(jsonb_object_agg(value, figures), '{}') from (
      select s.status as value, jsonb_build_object('count', count(*)) as figures from hits s group by 1) each) as figures
  , (select count(*) > :'limit' from hits)
    or (select count(*) > :'limit' from by_part) -- if own_groups
    or (select count(*) > :'limit' from by_dependent) -- if dependent
    or (select count(*) > :'other_limit' from by_group) as overflows
  , (select s.id from hits s
      where true
        and s.status = any (:'statuses'::text[]) -- if statuses
      order by s.last_name_key, s.name_key, s.id -- sort
      limit 1 offset :'last') as bound
  -- end
;

-- name: near
-- Whether only few rows precede the last match that the page can contain.
with
key as materialized (:key), -- if key_id
source as not materialized (:source)
select count(*) < :'few' as is_near
from (
  select from source s
  where true
    and (s.last_name_key, s.name_key, s.id) <= (select k.last_name_key, k.name_key, k.id from key k) -- until
  limit :'few'
) counted;

-- name: walk
-- The page of a search with too many matches to collect: compares members in list order.
with
key as materialized (:key), -- if key_id
source as not materialized (:source)
select s.id from source s
where :matches
  and (s.last_name_key, s.name_key, s.id) <= (select k.last_name_key, k.name_key, k.id from key k) -- until
  :page;

-- name: rows
select m.id, m.number, m.first_name as "firstName", m.last_name as "lastName",
  m.email, m.job_title as "jobTitle", m.employee_number as "employeeNumber", -- rule row_columns
  m.id_number as "idNumber", -- if unmasked
  -- or masked: repeat('•', greatest(length(m.id_number) - 3, 0)) || right(m.id_number, 3) as "idNumber",
  m.group_id as "groupId", g.name as "groupName",
  m.policy_id as "policyId", p.number as "policyNumber",
  case when p.rate_table_id is null then p.premium_cents else r.cents end as "premiumCents", r.unrated,
  m.tier_id as "_tierId", t.name as "tierName", m.status, m.start_on as "startOn", m.end_on as "endOn",
  m.to_complete as "toComplete", m.version, p.status as "_policyStatus", m.forgotten_on as "_forgottenOn",
  (select count(*) from dependents d where d.member_id = m.id and coalesce(d.until_on >= :'today'::date, true)) as dependents
from unnest(:'ids'::uuid[]) with ordinality found (id, place)
join members m on m.id = found.id
left join policies p on p.id = m.policy_id
left join employer_groups g on g.id = m.group_id
left join benefit_tiers t on t.id = m.tier_id
left join lateral (select null::bigint as cents, null::text as unrated) r on true -- rule rated_premium
order by found.place;

-- name: export
-- PostgreSQL omits columns that the file does not have.
with source as not materialized (
  select m.*, g.name as group_name, t.name as tier_name, r.unrated,
    case when p.rate_table_id is null then p.premium_cents else r.cents end as premium_cents,
    p.number as policy_name
  from (:source) m
  left join policies p on p.id = m.policy_id
  left join employer_groups g on g.id = m.group_id
  left join benefit_tiers t on t.id = m.tier_id
  left join lateral (select null::bigint as cents, null::text as unrated) r on true -- rule rated_premium
)
select s.id, s.number, s.first_name as "firstName", s.last_name as "lastName",
  s.email, s.job_title as "jobTitle", s.employee_number as "employeeNumber", -- rule file_columns
  s.id_number as "idNumber", -- if unmasked
  -- or masked: repeat('•', greatest(length(s.id_number) - 3, 0)) || right(s.id_number, 3) as "idNumber",
  s.group_name as "groupName",
  s.policy_name as "policyNumber", s.tier_name as "tierName", s.status, s.start_on as "startOn", s.end_on as "endOn",
  s.premium_cents as "premiumCents", s.unrated
from source s
where true
  and s.id = any (:'ids'::uuid[]) -- if ids
  -- if search
  -- if all_groups
  and s.id in (
    select s.id from source s where :has_words
    union
    (:members_of_dependents) -- if dependent
    union -- if dependent
    select s.id from source s where s.group_id = any (array(:groups_named)))
  -- end
  and :matches -- if own_groups
  -- end
  and s.status = any (:'statuses'::text[]) -- if statuses
  and s.group_key is not null -- if group_key
  and s.policy_number is not null -- if policy_number
  and s.tier_position is not null -- if tier_position
order by s.last_name_key, s.name_key, s.id -- sort
;
