create table premium_contacts (
  id uuid primary key,
  group_id uuid not null,
  policy_id uuid not null,
  kind text not null check (kind in ('call', 'reminder', 'notice')),
  outcome text check (outcome in ('reached', 'no_answer', 'promise', 'dispute')),
  promised_cents bigint check (promised_cents > 0),
  promised_on date,
  note text not null default '',
  -- The run of the mail, requested by a user or the calendar. A policy is in a run once.
  run text,
  sent_to text,
  mail_id uuid references mails (id),
  made_at timestamptz not null,
  -- Null: sent automatically.
  made_by uuid,
  unique (id, group_id),
  constraint premium_contacts_once_a_run unique (policy_id, run),
  foreign key (policy_id, group_id) references policies (id, group_id),
  check ((kind = 'call') = (outcome is not null)),
  constraint premium_contacts_check1 check ((kind = 'call') = (mail_id is null)),
  constraint premium_contacts_check2
    check ((mail_id is null) = (sent_to is null) and (mail_id is null) = (run is null)),
  constraint premium_contacts_check3 check ((outcome is not distinct from 'promise') = (promised_cents is not null)),
  constraint premium_contacts_check4 check ((promised_cents is null) = (promised_on is null))
);
create index premium_contacts_mail on premium_contacts (mail_id) where mail_id is not null;
create index premium_contacts_policy on premium_contacts (policy_id, made_at desc, id desc);
create index premium_contacts_said on premium_contacts (policy_id, made_at desc, id desc) where outcome in ('promise', 'dispute');
select protect('premium_contacts');
grant select, insert on premium_contacts to milkwood_staff;

create table premium_calendar (
  task text not null check (task in ('reminders', 'alerts')),
  month date not null check (month = date_trunc('month', month)),
  due_on date not null,
  outcome text not null check (outcome in ('run', 'leave', 'begin')),
  done_at timestamptz not null,
  primary key (task, month)
);
grant select, insert on premium_calendar to milkwood_staff;
