-- What may be said of the bank's lines is looked for along indexes, for all lines of a call together.

-- The letters that an employer is known by, as `coreOf` of the domain has them: a test compares the two.
create function name_core(name text) returns text language sql immutable strict parallel safe as $$
  select coalesce(
    string_agg(word, '' order by nth) filter (where word not in ('PTY', 'LTD', 'LIMITED', 'CC', 'INC', 'NPC', 'RF', 'SOC',
      'PROPRIETARY', 'INCORPORATED', 'CO', 'OPERATIVE', 'COOPERATIVE', 'BPK', 'EDMS')),
    string_agg(word, '' order by nth), '')
  from regexp_split_to_table(upper(regexp_replace(normalize(name, NFD), '[\u0300-\u036f]', '', 'g')), '[^A-Z0-9]+')
    with ordinality as words (word, nth)
$$;
create index employer_groups_start on employer_groups (left(name_core(name), 6));

-- All that is open, by policy, is read from the index alone.
drop index invoices_open;
create index invoices_open on invoices (due_on, id)
  include (policy_id, status, total_cents, credited_cents, allocated_cents, written_off_cents)
  where status = 'sent' and credited_cents + allocated_cents + written_off_cents < total_cents;
