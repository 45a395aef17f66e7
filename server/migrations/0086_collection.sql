-- Room collection: calls and mails about what a policy owes. Whether a promise was kept is derived from receipts.

create table premium_contacts (
  id uuid primary key,
  group_id uuid not null,
  policy_id uuid not null,
  kind text not null check (kind in ('call', 'reminder', 'notice')),
  outcome text check (outcome in ('reached', 'no_answer', 'promise', 'dispute')),
  promised_cents bigint check (promised_cents > 0),
  promised_on date,
  note text not null default '',
  -- What a mail was part of: asked for by somebody, or by the calendar. One policy is in it once.
  run text,
  sent_to text,
  mail_id uuid references mails (id),
  made_at timestamptz not null,
  -- Empty where it went out by itself.
  made_by uuid,
  unique (id, group_id),
  foreign key (policy_id, group_id) references policies (id, group_id),
  check ((kind = 'call') = (outcome is not null)),
  check ((kind = 'call') = (mail_id is null)),
  check ((mail_id is null) = (sent_to is null) and (mail_id is null) = (run is null)),
  check ((outcome is not distinct from 'promise') = (promised_cents is not null)),
  check ((promised_cents is null) = (promised_on is null)),
  constraint premium_contacts_once_a_run unique (policy_id, run)
);

create index premium_contacts_policy on premium_contacts (policy_id, made_at desc, id desc);
create index premium_contacts_said on premium_contacts (policy_id, made_at desc, id desc) where outcome in ('promise', 'dispute');
create trigger premium_contacts_are_kept before update or delete or truncate on premium_contacts
  for each statement execute function refuse_change();

-- They are the insurer's own: a group's people see nothing of them.
select protect('premium_contacts');
grant select, insert on premium_contacts to milkwood_staff;

-- The sent invoices of a month, and of a policy what is open.
create index invoices_month on invoices (period_start_on) where status = 'sent';
