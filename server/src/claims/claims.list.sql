-- Statements of domain/src/claims/claims.list.ts. No medical column is searched or sorted. psql runs this file
-- unchanged. platform/lists/sql-file.ts describes what the server changes.

\set statuses '{submitted,approved}'
\set group_id 00000000-0000-4000-8000-000000000001
\set group_ids '{00000000-0000-4000-8000-000000000001}'
\set policy_id 00000000-0000-4000-8000-000000000001
\set policy_ids '{00000000-0000-4000-8000-000000000001}'
\set member_id 00000000-0000-4000-8000-000000000001
\set member_ids '{00000000-0000-4000-8000-000000000001}'
\set submitted_from 2026-11-01
\set submitted_to 2026-11-30
\set decided_from 2026-11-01
\set decided_to 2026-11-30
\set timezone Africa/Johannesburg
\set me 00000000-0000-4000-8000-000000000001
\set key_id 00000000-0000-4000-8000-000000000001
\set ids '{00000000-0000-4000-8000-000000000001}'
\set word '%nkosi%'
\set short_word '(^|[ \n])nk'
\set second_word '%thabo%'
\set more_words '{%a%}'
\set first_word '%nkosi%'
\set other_words '{%thabo%}'
\set member_word '%nkosi%'
\set address '%nkosi@acme.example%'
\set part any
\set found_word '%nkosi%'
\set found_words '{%thabo%}'
\set text '%nkosi%'
\set short_text '(^|[ \n])nk'
\set pattern '%nkosi%'
\set take 25
\set skip 0
\set last 24
\set few 10000
\set limit 10000
\set limit_more 10001
\set other_limit 2500
\set other_limit_more 2501

-- The claims that the filters match. group_key is only selected for its sort.
select $$
  select c.*, lower(c.number) as number_key,
    case when c.final_approval_at is null then c.rejected_at else c.final_approval_at end as decided_at,
    array_position('{draft,submitted,under_review,pending_group_admin,pending_underwriter,pending_policy_holder,approved,rejected,paid,withdrawn}'::text[], c.status) as step
    , lower(g.name) as group_key -- if group_key
  from claims c
  left join employer_groups g on g.id = c.group_id -- if group_key
  where true
    and c.group_id = :'group_id' -- if group_id
    and c.group_id = any (:'group_ids'::uuid[]) -- if group_ids
    and c.policy_id = :'policy_id' -- if policy_id
    and c.policy_id = any (:'policy_ids'::uuid[]) -- if policy_ids
    and c.member_id = :'member_id' -- if member_id
    and c.member_id = any (:'member_ids'::uuid[]) -- if member_ids
    and c.submitted_at >= (:'submitted_from'::date::timestamp at time zone :'timezone') -- if submitted_from
    and c.submitted_at < ((:'submitted_to'::date + 1)::timestamp at time zone :'timezone') -- if submitted_to
    and case when c.final_approval_at is null then c.rejected_at else c.final_approval_at end >= (:'decided_from'::date::timestamp at time zone :'timezone') -- if decided_from
    and case when c.final_approval_at is null then c.rejected_at else c.final_approval_at end < ((:'decided_to'::date + 1)::timestamp at time zone :'timezone') -- if decided_to
    -- Twice, so that the planner multiplies its estimates. It then uses an index for a user with few claims, and the
    -- order of the list otherwise.
    and c.captured_by @> array[:'me'::uuid] and :'me'::uuid = any (c.captured_by) -- if mine
$$ as source \gset

-- The row next to a page, or the last row that it can contain.
select $$
  select c.*, lower(g.name) as group_key,
    case when c.final_approval_at is null then c.rejected_at else c.final_approval_at end as decided_at,
    array_position('{draft,submitted,under_review,pending_group_admin,pending_underwriter,pending_policy_holder,approved,rejected,paid,withdrawn}'::text[], c.status) as step
  from claims c
  left join employer_groups g on g.id = c.group_id
  where c.id = :'key_id'
$$ as key \gset

-- The page of a tab. group_key is never null, but the condition lets PostgreSQL start at the index of groups.
select $$
    and s.status = any (:'statuses'::text[]) -- if statuses
    and s.group_key is not null -- if group_key
    and (s.number, s.id) < (select k.number, k.id from key k) -- after
  order by s.number desc, s.id desc -- sort
  limit :'take' offset :'skip'
$$ as page \gset

-- Columns to count, sum and sort the matches of a search.
select $$
  s.id, s.status, s.requested_amount_cents, s.number, s.member_last_name_key, s.member_name_key, s.incident_on,
    s.submitted_at, s.decided_at, s.step
    , s.group_key -- if group_key
$$ as columns \gset

select $$
  (true
    and s.number_key like :'text' -- if text
    and s.number_key ~ :'short_text' -- if short_text
  )
$$ as has_number \gset

select $$
  (true
    and s.member_name_key like :'word' -- if word
    and s.member_name_key ~ :'short_word' -- if short_word
    and s.member_name_key like :'second_word' -- if second_word
    and s.member_name_key like all (:'more_words'::text[]) -- if more_words
  )
$$ as has_name \gset

select $$
  select m.id from members m
  where true
    and m.search_key like :'member_word' -- if member_word
    and m.search_key ~ :'short_word' -- if short_word
    and m.search_key like :'second_word' -- if second_word
    and m.search_key like all (:'more_words'::text[]) -- if more_words
    and m.search_key || '' like :'address' -- if address
$$ as members_numbered \gset

select $$
  select g.id from employer_groups g
  where true
    and lower(g.name) like :'text' -- if text
    and lower(g.name) ~ :'short_text' -- if short_text
$$ as groups_named \gset

select $$
  (:has_number or :has_name
    -- if number
    or s.member_id in (
      :members_numbered -- if all_groups
      -- or own_groups: select members_found(:'part', :'found_word', :'found_words'::text[], null, null, null)
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

-- name: figures
with source as not materialized (:source)
select s.status as value, jsonb_build_object('count', count(*),
  'requestedAmountCents', coalesce(sum(s.requested_amount_cents), 0)) as figures
from source s group by 1;

-- name: search
-- Each way to match collects at most limit + 1 rows. `overflows` means that there are more. `bound` is the last match
-- that the page can contain. With the row `key`, all matches up to it are collected.
with
key as materialized (:key), -- if key_id
source as not materialized (:source),
-- Row-level security prevents use of the index, so functions search the index for the groups of the user.
-- or own_groups: by_number as materialized (select claims_found(:'pattern', :'limit_more') as id),
-- or own_groups: by_name as materialized (select claims_named(:'first_word', :'other_words'::text[], :'limit_more') as id),
-- if number
by_member as materialized (
  :members_numbered limit :'other_limit_more' -- if all_groups
  -- or own_groups: select members_found(:'part', :'found_word', :'found_words'::text[], null, null, :'other_limit_more') as id
),
-- end
by_group as materialized (:groups_named limit :'other_limit_more'),
hits as materialized (
  (select :columns from source s
    where true
      and :has_number -- if all_groups
      -- or own_groups: and s.id = any (array(select id from by_number))
      and (s.number, s.id) >= (select k.number, k.id from key k) -- until
    limit :'limit_more')
  union
  (select :columns from source s
    where true
      and :has_name -- if all_groups
      -- or own_groups: and s.id = any (array(select id from by_name))
      and (s.number, s.id) >= (select k.number, k.id from key k) -- until
    limit :'limit_more')
  union
  -- if number
  (select :columns from source s
    where s.member_id = any (array(select id from by_member))
      and (s.number, s.id) >= (select k.number, k.id from key k) -- until
    limit :'limit_more')
  union
  -- end
  (select :columns from source s
    where s.group_id = any (array(select id from by_group))
      and (s.number, s.id) >= (select k.number, k.id from key k) -- until
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
      select s.status as value, jsonb_build_object('count', count(*),
        'requestedAmountCents', coalesce(sum(s.requested_amount_cents), 0)) as figures
      from hits s group by 1) each) as figures
  , (select count(*) > :'limit' from hits)
    -- or own_groups: or (select count(*) > :'limit' from by_number) or (select count(*) > :'limit' from by_name)
    or (select count(*) > :'other_limit' from by_member) -- if number
    or (select count(*) > :'other_limit' from by_group) as overflows
  , (select s.id from hits s
      where true
        and s.status = any (:'statuses'::text[]) -- if statuses
      order by s.number desc, s.id desc -- sort
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
    and (s.number, s.id) >= (select k.number, k.id from key k) -- until
  limit :'few'
) counted;

-- name: walk
-- The page of a search with too many matches to collect: compares claims in list order.
with
key as materialized (:key), -- if key_id
source as not materialized (:source)
select s.id from source s
where :matches
  and (s.number, s.id) >= (select k.number, k.id from key k) -- until
  :page;

-- name: rows
-- The rows of a page, with columns for the permission rules.
select c.id, c.number, c.status, c.claim_type as "claimType", c.incident_on as "incidentOn",
  c.claim_amount_cents as "claimAmountCents", c.requested_amount_cents as "requestedAmountCents",
  c.approved_amount_cents as "approvedAmountCents", c.submitted_at as "submittedAt",
  case when c.final_approval_at is null then c.rejected_at else c.final_approval_at end as "decidedAt",
  c.created_at as "createdAt", c.version, c.round as "_round",
  (select r.kind from claim_reopenings r where r.claim_id = c.id and r.round = c.round) as "_reopening",
  jsonb_build_object('id', m.id, 'number', m.number, 'firstName', m.first_name, 'lastName', m.last_name) as member,
  coalesce(d.first_name || ' ' || d.last_name, m.first_name || ' ' || m.last_name) as "insuredPerson",
  jsonb_build_object('id', p.id, 'number', p.number) as policy,
  jsonb_build_object('id', g.id, 'name', g.name) as "group",
  case when b.id is not null then jsonb_build_object('id', b.id, 'name', b.name) end as benefit,
  jsonb_build_object('capturedBy', c.captured_by, 'submittedBy', c.submitted_by,
    'approvals', (select coalesce(jsonb_agg(jsonb_build_object('stage', a.stage, 'decidedBy', a.decided_by)), '[]')
      from claim_approvals a where a.claim_id = c.id and a.decided_by is not null)
    , 'standsInFor', null::uuid, 'paymentStarted', false, 'isPartlyPaid', false -- rule stand_in_and_payment
  ) as _duties
from unnest(:'ids'::uuid[]) with ordinality found (id, place)
join claims c on c.id = found.id
left join members m on m.id = c.member_id
left join dependents d on d.id = c.dependent_id
left join policies p on p.id = c.policy_id
left join employer_groups g on g.id = c.group_id
left join benefits b on b.id = c.benefit_id
order by found.place;

-- name: export
-- PostgreSQL omits columns that the file does not have.
with source as not materialized (:source)
select s.id, s.number, s.status, s.claim_type as "claimType", s.incident_on as "incidentOn",
  s.claim_amount_cents as "claimAmountCents", s.requested_amount_cents as "requestedAmountCents",
  s.approved_amount_cents as "approvedAmountCents", s.submitted_at as "submittedAt", s.decided_at as "decidedAt",
  jsonb_build_object('id', m.id, 'number', m.number, 'firstName', m.first_name, 'lastName', m.last_name) as member,
  coalesce(d.first_name || ' ' || d.last_name, m.first_name || ' ' || m.last_name) as "insuredPerson",
  jsonb_build_object('id', p.id, 'number', p.number) as policy,
  jsonb_build_object('id', g.id, 'name', g.name) as "group",
  case when b.id is not null then jsonb_build_object('id', b.id, 'name', b.name) end as benefit
from source s
left join members m on m.id = s.member_id
left join dependents d on d.id = s.dependent_id
left join policies p on p.id = s.policy_id
left join employer_groups g on g.id = s.group_id
left join benefits b on b.id = s.benefit_id
where true
  and s.id = any (:'ids'::uuid[]) -- if ids
  -- if search
  -- if all_groups
  and s.id in (
    select s.id from source s where :has_number
    union
    select s.id from source s where :has_name
    union
    select s.id from source s where s.member_id in (:members_numbered) -- if number
    union -- if number
    select s.id from source s where s.group_id = any (array(:groups_named)))
  -- end
  -- or own_groups: and :matches
  -- end
  and s.status = any (:'statuses'::text[]) -- if statuses
  and s.group_key is not null -- if group_key
order by s.number desc, s.id desc -- sort
;
