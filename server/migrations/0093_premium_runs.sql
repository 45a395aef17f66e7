-- The premium run: a month's billing of many policies, previewed and then made, and how each policy stands in it.

create table billing_runs (
  id uuid primary key,
  -- RUN-2026-000001.
  number text not null unique,
  month date not null check (extract(day from month) = 1),
  status text not null default 'previewing' check (status in ('previewing', 'previewed', 'making', 'made', 'cancelled')),
  -- What becomes of its invoices; said when they are made.
  outcome text check (outcome in ('draft', 'pending', 'sent')),
  -- The policies that were asked for; all without it.
  policy_ids uuid[],
  job_id uuid,
  created_by uuid,
  created_at timestamptz not null,
  previewed_at timestamptz,
  making_at timestamptz,
  made_at timestamptz,
  cancelled_at timestamptz,
  version integer not null default 1,
  check ((status in ('making', 'made')) = (making_at is not null) and (making_at is null) = (outcome is null)),
  check (status <> 'made' or made_at is not null),
  check ((status = 'cancelled') = (cancelled_at is not null))
);
create index billing_runs_newest on billing_runs (created_at desc, id);

create table billing_run_policies (
  id uuid primary key,
  group_id uuid not null,
  run_id uuid not null references billing_runs (id),
  policy_id uuid not null,
  state text not null check (state in ('waiting', 'made', 'parked', 'nothing', 'left_out')),
  reason_kind text check (reason_kind in ('no_premium', 'no_contact', 'typed_lines', 'draft', 'credit', 'failed')),
  -- What was answered where no kind says it.
  reason text,
  mend_invoice_id uuid,
  members integer not null default 0,
  base_cents bigint not null default 0,
  adjustment_cents bigint not null default 0,
  vat_cents bigint not null default 0,
  total_cents bigint not null default 0 check (total_cents = base_cents + adjustment_cents + vat_cents),
  last_cents bigint,
  joiners_cents bigint,
  leavers_cents bigint,
  premium_cents bigint,
  other_cents bigint,
  marks text[] not null default '{}',
  invoice_id uuid,
  credit_note_ids uuid[] not null default '{}',
  -- Why its invoice could not be sent.
  send_failure text,
  unique (run_id, policy_id),
  foreign key (policy_id, group_id) references policies (id, group_id),
  foreign key (invoice_id, group_id) references invoices (id, group_id),
  foreign key (mend_invoice_id, group_id) references invoices (id, group_id),
  check ((state = 'parked') = (reason_kind is not null)),
  check ((state = 'made') = (invoice_id is not null or credit_note_ids <> '{}')),
  -- The causes of a change sum to it.
  check ((last_cents is null) = (joiners_cents is null and leavers_cents is null and premium_cents is null and other_cents is null)),
  check (last_cents is null or base_cents + adjustment_cents - last_cents = joiners_cents + leavers_cents + premium_cents + other_cents)
);
create index billing_run_policies_policy on billing_run_policies (policy_id);
create index billing_run_policies_total on billing_run_policies (total_cents, id);
create unique index billing_run_policies_invoice on billing_run_policies (invoice_id) where invoice_id is not null;

-- What a run made of a policy stays as it was made.
create function keep_billed_policy() returns trigger language plpgsql as $$
begin
  if tg_op = 'DELETE' or (to_jsonb(old) - 'send_failure') is distinct from (to_jsonb(new) - 'send_failure') then
    raise exception 'what a premium run made is never changed' using errcode = 'restrict_violation';
  end if;
  return new;
end $$;
create trigger billed_policies_are_kept before update or delete on billing_run_policies
  for each row when (old.state = 'made') execute function keep_billed_policy();

-- They are the insurer's own: a group's people see nothing of them.
select protect('billing_run_policies');
grant select, insert, update on billing_runs to milkwood_staff;
grant select, insert, update, delete on billing_run_policies to milkwood_staff;
