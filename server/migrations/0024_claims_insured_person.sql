-- The insured person of a claim is the member, or one of the member's dependents.
alter table dependents add constraint dependents_id_member_id_key unique (id, member_id);
alter table claims add column dependent_id uuid;
alter table claims add constraint claims_dependent_id_member_id_fkey
  foreign key (dependent_id, member_id) references dependents (id, member_id);
create index claims_dependent on claims (dependent_id, member_id) where dependent_id is not null;
