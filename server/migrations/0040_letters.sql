-- Texts of the letter templates that were edited, one row per version. Version 0 is the built-in text.
create table letter_templates (
  kind text not null,
  version integer not null check (version >= 1),
  title text not null check (btrim(title) <> ''),
  text text not null check (btrim(text) <> ''),
  saved_at timestamptz not null,
  saved_by uuid not null references users (id),
  primary key (kind, version)
);
grant select, insert on letter_templates to milkwood_staff;

-- Letters about claims, members and policies, as they were written. Only the insurer's staff have access: letters about
-- claims may contain medical facts.
create table letters (
  id uuid primary key,
  group_id uuid not null,
  number text not null unique,
  kind text not null,
  claim_id uuid,
  -- Also set for letters about claims.
  member_id uuid,
  policy_id uuid,
  payout_id uuid,
  written_on date not null,
  template_version integer not null check (template_version >= 0),
  -- Wording and PDF are null after the member was made anonymous.
  wording jsonb,
  file_id uuid references files (id),
  written_at timestamptz not null,
  written_by uuid not null references users (id),
  unique (id, group_id),
  foreign key (claim_id, group_id) references claims (id, group_id),
  foreign key (member_id, group_id) references members (id, group_id),
  foreign key (policy_id, group_id) references policies (id, group_id),
  foreign key (payout_id, group_id) references payouts (id, group_id),
  constraint letters_have_one_record check ((policy_id is null) = (member_id is not null)),
  constraint letters_about_claims_name_the_member check (claim_id is null or member_id is not null),
  constraint letters_about_payments_name_the_claim check (payout_id is null or claim_id is not null),
  constraint letters_are_whole check ((wording is null) = (file_id is null)),
  constraint letters_to_employers_remain check (policy_id is null or wording is not null)
);
create index letters_claim on letters (claim_id, group_id) where claim_id is not null;
create index letters_member on letters (member_id, group_id) where member_id is not null;
create index letters_policy on letters (policy_id, group_id) where policy_id is not null;
create index letters_payout on letters (payout_id, group_id) where payout_id is not null;
create index letters_file on letters (file_id) where file_id is not null;
select protect('letters');
grant select, insert on letters to milkwood_staff;

-- To whom a letter was mailed. The mail itself is deleted after its retention period.
create table letter_mails (
  mail_id uuid primary key,
  group_id uuid not null,
  letter_id uuid not null,
  to_address text not null,
  sent_at timestamptz not null,
  sent_by uuid not null references users (id),
  foreign key (letter_id, group_id) references letters (id, group_id)
);
create index letter_mails_letter on letter_mails (letter_id, group_id);
select protect('letter_mails');
grant select, insert on letter_mails to milkwood_staff;
