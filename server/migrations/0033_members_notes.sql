-- Notes, calls and mails about a member. Only the insurer's staff have access.
create table member_notes (
  id uuid primary key,
  group_id uuid not null,
  member_id uuid not null,
  kind text not null check (kind in ('note', 'call', 'mail')),
  direction text check (direction in ('in', 'out')),
  person text not null default '',
  contact text not null default '',
  text text not null check (btrim(text) <> ''),
  happened_on date not null,
  follow_up_on date,
  followed_up_at timestamptz,
  followed_up_by uuid references users (id),
  written_at timestamptz not null,
  written_by uuid not null references users (id),
  struck_at timestamptz,
  struck_reason text check (btrim(struck_reason) <> ''),
  unique (id, group_id),
  -- A member who was never insured can be removed, and takes the notes along.
  foreign key (member_id, group_id) references members (id, group_id) on delete cascade,
  constraint member_notes_kind check ((kind = 'note') = (direction is null)),
  constraint member_notes_person check (kind <> 'note' or person = '' and contact = ''),
  constraint member_notes_followed_up check ((followed_up_at is null) = (followed_up_by is null)),
  constraint member_notes_follow_up check (followed_up_at is null or follow_up_on is not null),
  constraint member_notes_struck check ((struck_at is null) = (struck_reason is null))
);
create index member_notes_newest on member_notes (member_id, group_id, written_at desc, id desc);
create index member_notes_to_follow_up on member_notes (written_by, follow_up_on)
  where follow_up_on is not null and followed_up_at is null and struck_at is null;
select protect('member_notes');
-- What a note says cannot change, and no role deletes notes.
grant select, insert on member_notes to milkwood_staff;
grant update (followed_up_at, followed_up_by, struck_at, struck_reason) on member_notes to milkwood_staff;
