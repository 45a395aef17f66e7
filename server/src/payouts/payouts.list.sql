-- Statements of domain/src/payouts/payouts.list.ts. psql runs this file unchanged. platform/lists/sql-file.ts describes
-- what the server changes.

\set statuses '{pending,completed}'
\set subject_kind claim
\set completed_from 2026-11-01
\set completed_to 2026-11-30
\set key_id 00000000-0000-4000-8000-000000000001
\set ids '{00000000-0000-4000-8000-000000000001}'
\set word '%nkosi%'
\set short_word '(^|[ \n])nk'
\set second_word '%thabo%'
\set more_words '{%a%}'
\set member_word '%nkosi%'
\set address '%nkosi@acme.example%'
\set text '%nkosi%'
\set short_text '(^|[ \n])nk'
\set take 25
\set skip 0
\set last 24
\set few 10000
\set limit 10000
\set limit_more 10001
\set other_limit 2500
\set other_limit_more 2501

-- Payments, and claims that wait for one. Both branches have the index columns, so that PostgreSQL merges them in page
-- order.
select $$
  select id, number, subject_kind, subject_id, subject_label, member_id, policy_id, group_id, amount_cents, method, reference,
    status, completed_on, returned_on, created_at, version, status in ('pending', 'processing', 'failed') as needs_action,
    payee_name
  from payouts
  union all
  select null, '', '', null, '', null, null, null, 0, '', '', '', null, null, null, 1, true, '' where false -- rule claims_to_pay
$$ as payments \gset

-- The payments that the filters match. The member's keys are only selected for their sort.
select $$
  select o.*
    , m.last_name_key, m.name_key -- if last_name_key
  from (:payments) o
  left join members m on m.id = o.member_id -- if last_name_key
  where true
    and o.subject_kind = :'subject_kind' -- if subject_kind
    and o.completed_on >= :'completed_from'::date -- if completed_from
    and o.completed_on < :'completed_to'::date + 1 -- if completed_to
    and o.id in (select p.id from payouts p where p.status = 'pending') -- rule waits_for_me
$$ as source \gset

-- The row next to a page, or the last row that it can contain.
select $$
  select o.*, m.last_name_key, m.name_key
  from (:payments) o
  left join members m on m.id = o.member_id
  where o.id = :'key_id'
$$ as key \gset

-- The page of a tab. The first sort column is never null, but the condition lets PostgreSQL start at its index.
select $$
    and s.status = any (:'statuses'::text[]) -- if statuses
    and s.last_name_key is not null -- if last_name_key
    and s.needs_action is not null -- if needs_action
    and (s.needs_action, s.created_at, s.number, s.id) < (select k.needs_action, k.created_at, k.number, k.id from key k) -- after
  order by s.needs_action desc, s.created_at desc, s.number desc, s.id desc -- sort
  limit :'take' offset :'skip'
$$ as page \gset

-- Columns to count, sum and sort the matches of a search.
select $$
  s.id, s.status, s.amount_cents, s.number, s.created_at, s.completed_on, s.needs_action
    , s.last_name_key, s.name_key -- if last_name_key
$$ as columns \gset

select $$
  (true
    and lower(s.number) like :'text' -- if text
    and lower(s.number) ~ :'short_text' -- if short_text
  )
$$ as has_number \gset

select $$
  (true
    and lower(s.reference) like :'text' -- if text
    and lower(s.reference) ~ :'short_text' -- if short_text
  )
$$ as has_reference \gset

select $$
  (true
    and lower(s.subject_label) like :'text' -- if text
    and lower(s.subject_label) ~ :'short_text' -- if short_text
  )
$$ as has_subject \gset

-- Members whose names contain every word, by the index on all parts of a member.
select $$
  select m.id from members m
  where true
    and m.search_key like :'word' and m.name_key like :'word' -- if word
    and m.search_key ~ :'short_word' and m.name_key ~ :'short_word' -- if short_word
    and m.name_key like :'second_word' -- if second_word
    and m.name_key like all (:'more_words'::text[]) -- if more_words
$$ as members_named \gset

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
  (
    :has_number or :has_reference or :has_subject
    or (true
      and s.member_name like :'word' -- if word
      and s.member_name ~ :'short_word' -- if short_word
      and s.member_name like :'second_word' -- if second_word
      and s.member_name like all (:'more_words'::text[]) -- if more_words
    )
    or s.member_id in (:members_numbered) -- if number
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
select s.status as value,
  jsonb_build_object('count', count(*), 'amountCents', coalesce(sum(s.amount_cents), 0)) as figures
from source s group by 1;

-- name: search
-- Each way to match collects at most limit + 1 rows. `overflows` means that there are more. `bound` is the last match
-- that the page can contain. With the row `key`, all matches up to it are collected.
with
key as materialized (:key), -- if key_id
source as not materialized (:source),
by_name as materialized (
  :members_named
    and m.last_name_key >= (select k.last_name_key from key k) -- if from_name
    and m.last_name_key <= (select k.last_name_key from key k) -- if to_name
  limit :'other_limit_more'
),
by_member as materialized (:members_numbered limit :'other_limit_more'), -- if number
by_group as materialized (:groups_named limit :'other_limit_more'),
hits as materialized (
  (select :columns from source s
    where :has_number
      and (s.needs_action, s.created_at, s.number, s.id) >= (select k.needs_action, k.created_at, k.number, k.id from key k) -- until
    limit :'limit_more')
  union
  (select :columns from source s
    where :has_reference
      and (s.needs_action, s.created_at, s.number, s.id) >= (select k.needs_action, k.created_at, k.number, k.id from key k) -- until
    limit :'limit_more')
  union
  (select :columns from source s
    where :has_subject
      and (s.needs_action, s.created_at, s.number, s.id) >= (select k.needs_action, k.created_at, k.number, k.id from key k) -- until
    limit :'limit_more')
  union
  (select :columns from source s
    where s.member_id = any (array(select id from by_name))
      and (s.needs_action, s.created_at, s.number, s.id) >= (select k.needs_action, k.created_at, k.number, k.id from key k) -- until
    limit :'limit_more')
  union
  -- if number
  (select :columns from source s
    where s.member_id = any (array(select id from by_member))
      and (s.needs_action, s.created_at, s.number, s.id) >= (select k.needs_action, k.created_at, k.number, k.id from key k) -- until
    limit :'limit_more')
  union
  -- end
  (select :columns from source s
    where s.group_id = any (array(select id from by_group))
      and (s.needs_action, s.created_at, s.number, s.id) >= (select k.needs_action, k.created_at, k.number, k.id from key k) -- until
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
      select s.status as value,
        jsonb_build_object('count', count(*), 'amountCents', coalesce(sum(s.amount_cents), 0)) as figures
      from hits s group by 1) each) as figures
  , (select count(*) > :'limit' from hits)
    or (select count(*) > :'other_limit' from by_name)
    or (select count(*) > :'other_limit' from by_member) -- if number
    or (select count(*) > :'other_limit' from by_group) as overflows
  , (select s.id from hits s
      where true
        and s.status = any (:'statuses'::text[]) -- if statuses
      order by s.needs_action desc, s.created_at desc, s.number desc, s.id desc -- sort
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
    and (s.needs_action, s.created_at, s.number, s.id) >= (select k.needs_action, k.created_at, k.number, k.id from key k) -- until
  limit :'few'
) counted;

-- name: walk
-- The page of a search with too many matches to collect: compares payments in list order.
with
key as materialized (:key), -- if key_id
source as not materialized (:source)
select s.id
from (select s.*, m.name_key as member_name from source s left join members m on m.id = s.member_id) s
where :matches
  and (s.needs_action, s.created_at, s.number, s.id) >= (select k.needs_action, k.created_at, k.number, k.id from key k) -- until
  :page;

-- name: rows
-- `_guard` has the values for the permission rules.
select o.id, o.number, o.member_id as "memberId", o.policy_id as "policyId",
  jsonb_build_object('kind', o.subject_kind, 'id', o.subject_id, 'label', o.subject_label) as subject,
  o.amount_cents as "amountCents", o.method, o.reference, o.status, o.completed_on as "completedOn",
  o.returned_on as "returnedOn", o.created_at as "createdAt", o.version, o.payee_name as "payeeName",
  m.first_name || ' ' || m.last_name as "memberName", p.number as "policyNumber", g.name as "groupName"
  , null::jsonb as _guard -- rule guard
from (select * from (:payments) o where o.id = any (:'ids'::uuid[])) o
left join members m on m.id = o.member_id
left join policies p on p.id = o.policy_id
left join employer_groups g on g.id = o.group_id
order by array_position(:'ids'::uuid[], o.id);

-- name: export
-- PostgreSQL omits columns that the file does not have.
with source as not materialized (:source)
select s.id, s.number, jsonb_build_object('kind', s.subject_kind, 'id', s.subject_id, 'label', s.subject_label) as subject,
  s.amount_cents as "amountCents", s.method, s.reference, s.status, s.completed_on as "completedOn",
  s.created_at as "createdAt", s.payee_name as "payeeName", m.first_name || ' ' || m.last_name as "memberName", g.name as "groupName"
from source s
left join members m on m.id = s.member_id
left join employer_groups g on g.id = s.group_id
where true
  and s.id = any (:'ids'::uuid[]) -- if ids
  -- if search
  and s.id in (
    select s.id from source s
    where :has_number
    union
    select s.id from source s
    where :has_reference
    union
    select s.id from source s
    where :has_subject
    union
    select s.id from source s where s.member_id in (:members_named)
    union
    select s.id from source s where s.member_id in (:members_numbered) -- if number
    union -- if number
    select s.id from source s where s.group_id = any (array(:groups_named)))
  -- end
  and s.status = any (:'statuses'::text[]) -- if statuses
  and s.last_name_key is not null -- if last_name_key
  and s.needs_action is not null -- if needs_action
order by s.needs_action desc, s.created_at desc, s.number desc, s.id desc -- sort
;
