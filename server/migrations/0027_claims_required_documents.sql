-- Medical: queries omit this column for a policy holder.
alter table claims add column cause_of_death text check (cause_of_death in ('natural', 'accident', 'suicide', 'unknown'));
update claims set cause_of_death = 'unknown' where claim_type = 'death';
alter table claims add constraint claims_cause_is_of_a_death
  check (cause_of_death is null or coalesce(claim_type = 'death', false));
grant update (cause_of_death) on claims to milkwood_scoped;

-- Requirements that a manager waived: the documents of which any one would have been enough.
create table claim_document_waivers (
  id uuid primary key,
  group_id uuid not null,
  claim_id uuid not null,
  documents text[] not null,
  reason text not null check (btrim(reason) <> ''),
  waived_by uuid not null references users (id),
  waived_at timestamptz not null,
  unique (id, group_id),
  foreign key (claim_id, group_id) references claims (id, group_id),
  constraint claim_document_waivers_once unique (claim_id, documents),
  constraint claim_document_waivers_are_known check (cardinality(documents) > 0 and documents <@ array[
      'medical_report', 'death_certificate', 'hospital_bill', 'police_report', 'id_document', 'proof_of_relationship', 'other'
    ])
);
select protect('claim_document_waivers');
grant select, insert on claim_document_waivers to milkwood_staff;
grant select on claim_document_waivers to milkwood_scoped;
