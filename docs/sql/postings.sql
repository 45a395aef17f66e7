-- The list as it is opened

with source as not materialized (
    select p.id, p.entry_id as "entryId", p.line, p.effective_on as "effectiveOn", e.posted_at as "postedAt", e.kind, e.description,
      jsonb_build_object('kind', e.record_kind, 'id', e.record_id) as record, p.policy_id as "policyId",
      y.number as "policyNumber", g.name as "groupName", greatest(p.amount_cents, 0) as "debitCents",
      greatest(-p.amount_cents, 0) as "creditCents", p.amount_cents as _cents, p.seq as _seq, p.line as _line,
      p.words as _words, lower(y.number) as _policy, lower(g.name) as _group
    from (select * from ledger_postings where account = 'bank' and effective_on <= '2026-11-02'::date) p
    left join ledger_entries e on e.id = p.entry_id
    left join policies y on y.id = p.policy_id
    left join employer_groups g on g.id = p.group_id
),
found as materialized (
  select s.id from source s where true
  order by s."effectiveOn" desc, s."_seq" desc, s."_line" desc, s.id desc limit 25 offset 0
)
select
  (select coalesce(json_agg(shown), '[]') from (
    select s.* from found join source s on s.id = found.id order by s."effectiveOn" desc, s."_seq" desc, s."_line" desc, s.id desc) shown) as rows,
  (select coalesce(jsonb_object_agg(value, figures), '{}') from (
    select '' as value, jsonb_build_object('count', coalesce(sum(postings), 0), 'debitCents', coalesce(sum(debit), 0),
      'creditCents', coalesce(sum(credit), 0)) as figures
    from (
  select account, policy_id, debit_cents as debit, credit_cents as credit, postings
    from ledger_months where month <= '2026-11-02'::date
  union all
  select p.account, p.policy_id, -greatest(p.amount_cents, 0), -greatest(-p.amount_cents, 0), -1
    from ledger_entries e join ledger_postings p on p.entry_id = e.id
    where e.effective_on > '2026-11-02'::date and e.effective_on < (date_trunc('month', '2026-11-02'::date) + interval '1 month')::date
) posted where account = 'bank') each) as figures;

-- A search

with source as not materialized (
    select p.id, p.entry_id as "entryId", p.line, p.effective_on as "effectiveOn", e.posted_at as "postedAt", e.kind, e.description,
      jsonb_build_object('kind', e.record_kind, 'id', e.record_id) as record, p.policy_id as "policyId",
      y.number as "policyNumber", g.name as "groupName", greatest(p.amount_cents, 0) as "debitCents",
      greatest(-p.amount_cents, 0) as "creditCents", p.amount_cents as _cents, p.seq as _seq, p.line as _line,
      p.words as _words, lower(y.number) as _policy, lower(g.name) as _group
    from (select * from ledger_postings where account = 'bank' and effective_on <= '2026-11-02'::date) p
    left join ledger_entries e on e.id = p.entry_id
    left join policies y on y.id = p.policy_id
    left join employer_groups g on g.id = p.group_id
),
hits as materialized (
  (select s."effectiveOn", s."_seq", s."_line", s."id", s."debitCents", s."creditCents" from source s where s._words like '%nkosi%' limit 10001) union
  (select s."effectiveOn", s."_seq", s."_line", s."id", s."debitCents", s."creditCents" from source s where s._policy like '%nkosi%' limit 10001) union
  (select s."effectiveOn", s."_seq", s."_line", s."id", s."debitCents", s."creditCents" from source s where s._group like '%nkosi%' limit 10001)
),
found as materialized (
  select s.id from hits s where true
  order by s."effectiveOn" desc, s."_seq" desc, s."_line" desc, s.id desc limit 25 offset 0
)
select
  (select coalesce(json_agg(shown), '[]') from (
    select s.* from found join source s on s.id = found.id order by s."effectiveOn" desc, s."_seq" desc, s."_line" desc, s.id desc) shown) as rows,
  (select coalesce(jsonb_object_agg(value, figures), '{}') from (
    select '' as value, jsonb_build_object('count', count(*), 'debitCents', coalesce(sum(s."debitCents"), 0), 'creditCents', coalesce(sum(s."creditCents"), 0)) as figures
    from hits s where true) each) as figures,
  (select count(*) > 10000 from hits) as overflows, (
    select s.id from hits s where true
    order by s."effectiveOn" desc, s."_seq" desc, s."_line" desc, s.id desc limit 1 offset 24) as bound;
