alter table claim_payee_sets
  drop constraint claim_payee_sets_basis_check,
  add constraint claim_payee_sets_basis_check check (basis in ('nomination', 'member', 'estate', 'fund', 'decision'));
