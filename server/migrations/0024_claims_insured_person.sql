-- The insured person of a claim is the member, or one of the member's dependents.
alter table dependents add constraint dependents_id_member_id_group_id_key unique (id, member_id, group_id);
alter table claims add column dependent_id uuid;
alter table claims add constraint claims_dependent_of_member
  foreign key (dependent_id, member_id, group_id) references dependents (id, member_id, group_id);
create index claims_dependent on claims (dependent_id, member_id, group_id) where dependent_id is not null;
