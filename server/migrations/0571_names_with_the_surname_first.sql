-- The letters of a name of two to four words with its last word first, as banks write people; null of companies. As
-- `turnedCoreOf` of the domain has them: a test compares the two.
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
create index employer_groups_start_turned on employer_groups (left(name_core_turned(name), 6));
