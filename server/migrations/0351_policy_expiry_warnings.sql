-- Room policies: that a policy ends on a day was said to its contact, once for each last day that it ever had.

create table policy_expiry_warnings (
  group_id uuid not null,
  policy_id uuid not null,
  ends_on date not null,
  -- Empty where there was no address, or the mail has been deleted since.
  mail_id uuid references mails (id) on delete set null,
  made_at timestamptz not null,
  primary key (policy_id, ends_on),
  foreign key (policy_id, group_id) references policies (id, group_id)
);
select protect('policy_expiry_warnings');
grant select, insert on policy_expiry_warnings to milkwood_staff;
