-- The tier for rows that name none is a list's own business: once it was imported, undone or discarded, the tier may go.

alter table member_imports
  drop constraint member_imports_default_tier_id_fkey,
  add constraint member_imports_default_tier_id_fkey
    foreign key (default_tier_id) references benefit_tiers (id) on delete set null;
