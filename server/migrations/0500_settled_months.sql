-- Which months an invoice bills, without a look at each of its lines.
create index invoice_lines_billed on invoice_lines (invoice_id, billed_month) where billed_month is not null;

-- Up to which month a premium run left nothing between what a policy owes and what it was billed, as known at that moment.
-- What came since concerns few of a large policy's members; only they are laid side by side again for those months. It is
-- known by the moments that facts and documents bear: whatever changes them without one would go unnoticed.
create table policy_settled (
  policy_id uuid primary key,
  group_id uuid not null,
  month date not null check (extract(day from month) = 1),
  settled_at timestamptz not null,
  -- The policy's invoices of the day before, its own among them: it has counted what they bill.
  invoice_ids uuid[] not null,
  foreign key (policy_id, group_id) references policies (id, group_id)
);

-- Lines that are taken off a draft leave no trace of what they billed, so that nothing is settled any more.
create function unsettle_policies() returns trigger language plpgsql as $$
begin
  delete from policy_settled where policy_id in (
    select policy_id from invoices where id in (select invoice_id from removed_lines));
  return null;
end $$;
create trigger invoice_lines_removed_settle_nothing after delete on invoice_lines
  referencing old table as removed_lines for each statement execute function unsettle_policies();

create index member_covers_superseded on member_covers (policy_id, superseded_at) where superseded_at is not null;

select protect('policy_settled');
grant select, insert, update, delete on policy_settled to milkwood_staff;
