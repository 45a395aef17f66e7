-- Room reconciliation: what is to be done about what an employer paid too little or too much for a month.

create table month_resolutions (
  id uuid primary key,
  group_id uuid not null references employer_groups (id),
  month date not null check (month = date_trunc('month', month)),
  kind text not null check (kind in ('write_off', 'carry_forward', 'keep_as_credit', 'refund')),
  -- Received less expected, as it was then.
  difference_cents bigint not null check (difference_cents <> 0),
  note text not null check (btrim(note) <> ''),
  resolved_by uuid not null,
  resolved_at timestamptz not null,
  check ((kind = 'write_off' and difference_cents < 0) or (kind in ('keep_as_credit', 'refund') and difference_cents > 0)
    or kind = 'carry_forward')
);
create index month_resolutions_newest on month_resolutions (group_id, month, resolved_at desc);
create trigger month_resolutions_are_kept before update or delete or truncate on month_resolutions
  for each statement execute function refuse_change();

select protect('month_resolutions');
grant select, insert on month_resolutions to milkwood_staff;
