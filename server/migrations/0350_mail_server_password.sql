-- The password of the mail server that the settings name, sealed with the key of the data folder. It stands apart from
-- the settings, which every role reads: of our roles staff alone sees it.

create table mail_server_password (
  one boolean primary key default true check (one),
  sealed text not null,
  saved_at timestamptz not null,
  saved_by uuid references users (id)
);
grant select, insert, update, delete on mail_server_password to milkwood_staff;
