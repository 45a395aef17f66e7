-- A claim that was never handed in can be withdrawn, with its papers: whoever typed into it throws it away, or the
-- insurer. Any other claim stays for ever.
create trigger only_drafts_are_deleted before delete on claims
  for each row when (old.status <> 'draft') execute function refuse_change();
create policy own_drafts on claims as restrictive for delete to milkwood_scoped
  using (status = 'draft' and (select app_user()) = any (captured_by));
grant delete on claims to milkwood_staff, milkwood_scoped;
