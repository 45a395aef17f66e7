-- What reports look for among a million members and as many covers.

-- Covers that begin or end within days, for movements.
create index member_covers_begin on member_covers (lower(valid)) where superseded_at is null;
create index member_covers_end on member_covers (upper(valid)) where superseded_at is null;

-- Members whose ID number says another date of birth, for doubtful data.
create index members_id_conflict on members (id)
  where status <> 'Terminated' and left(id_number, 6)::int <> (extract(year from date_of_birth)::int % 100) * 10000
    + extract(month from date_of_birth)::int * 100 + extract(day from date_of_birth)::int;
