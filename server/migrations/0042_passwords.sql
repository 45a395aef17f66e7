-- A password belongs to an account, once; sessions hold what the rules go by.

create table passwords (
  user_id uuid primary key references users (id) on delete cascade,
  -- scrypt:cost:blockSize:salt:key
  hash text not null,
  changed_at timestamptz not null
);
insert into passwords (user_id, hash, changed_at)
  select user_id, password, updated_at from accounts where provider_id = 'credential' and password is not null;
drop table accounts;
grant select, insert, update, delete on passwords to milkwood_auth;

alter table sessions
  drop column ip_address,
  drop column expires_at,
  drop column created_at,
  drop column updated_at;
