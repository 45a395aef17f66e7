-- For the cap on a child's life, which adds up over all policies.
create index dependents_by_id_number on dependents (id_number) where id_number is not null;
