-- The letters that identify an employer, as in `coreOf` of the domain (a test compares the two).
create function name_core(name text) returns text language sql immutable strict parallel safe as $$
  select coalesce(
    string_agg(word, '' order by nth) filter (where word not in ('PTY', 'LTD', 'LIMITED', 'CC', 'INC', 'NPC', 'RF', 'SOC',
      'PROPRIETARY', 'INCORPORATED', 'CO', 'OPERATIVE', 'COOPERATIVE', 'BPK', 'EDMS')),
    string_agg(word, '' order by nth), '')
  from regexp_split_to_table(upper(regexp_replace(normalize(name, NFD), '[\u0300-\u036f]', '', 'g')), '[^A-Z0-9]+')
    with ordinality as words (word, nth)
$$;

-- The letters of a personal name of two to four words, last word first, as banks write them. Null for companies. Same
-- as `turnedCoreOf` of the domain (a test compares the two).
create function name_core_turned(name text) returns text language sql immutable strict parallel safe as $$
  select case when count(*) between 2 and 4 and bool_and(word ~ '^[A-Z]+$' and word not in ('PTY', 'LTD', 'LIMITED', 'CC', 'INC',
      'NPC', 'RF', 'SOC', 'PROPRIETARY', 'INCORPORATED', 'CO', 'OPERATIVE', 'COOPERATIVE', 'BPK', 'EDMS'))
    then string_agg(word, '' order by nth = last desc, nth) end
  from (
    select word, nth, max(nth) over () as last
    from regexp_split_to_table(upper(regexp_replace(normalize(name, NFD), '[\u0300-\u036f]', '', 'g')), '[^A-Z0-9]+')
      with ordinality as words (word, nth)
    where word <> '') words
$$;

create table employer_groups (
  id uuid primary key,
  -- Its id again, so that row-level security covers the group itself.
  group_id uuid not null generated always as (id) stored,
  name text not null check (btrim(name) <> ''),
  created_at timestamptz not null
);
alter table user_groups add constraint user_groups_group_fk foreign key (group_id) references employer_groups (id) on delete cascade;
create unique index employer_groups_name on employer_groups (lower(name));
create index employer_groups_name_trigrams on employer_groups using gin (lower(name) gin_trgm_ops);
create index employer_groups_start on employer_groups (left(name_core(name), 6));
create index employer_groups_start_turned on employer_groups (left(name_core_turned(name), 6));
-- For bank lines that name several employers by their first words.
create index employer_groups_first_word on employer_groups ((upper(substring(name from '^[A-Za-z0-9]+'))));
select protect('employer_groups');
grant select, insert, update, delete on employer_groups to milkwood_staff;
grant select on employer_groups to milkwood_scoped;
