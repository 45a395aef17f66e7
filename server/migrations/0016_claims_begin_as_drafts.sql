-- What an employer's role may insert: a claim begins as a draft that nobody has taken, and an approval undecided. The
-- checks of the two tables leave amounts and stamps to no others.

create policy begins_as_draft on claims as restrictive for insert to milkwood_scoped
  with check (status = 'draft' and reviewed_by is null);
create policy begins_undecided on claim_approvals as restrictive for insert to milkwood_scoped
  with check (status = 'pending');
