// Allowed findings of schema-rules.mjs. An unused entry fails the check.

/** Functions whose purpose is to write tables of other modules. */
export const writers = {
  forget_person: "makes a member anonymous in every table at once, as the owner, so that no role needs the right",
  forget_papers: "deletes old files and mails in every room, as the owner, so that no role needs the right",
  forget_removed_people: "deletes the keys of members who are gone, as the owner",
}

/** Events with several column-setting triggers, and why their order does not matter. */
export const independent = {
  "INSERT on claims": "each trigger sets or checks other columns",
  "INSERT on audit_log": "each trigger seals the details of another kind of record: at most one of them runs",
  "UPDATE on claims": "each trigger sets or checks other columns",
  "UPDATE on members": "a member who is made anonymous was not anonymous before: only one of the two runs",
  "UPDATE on invoices":
    "the figures are set when a draft is sent; the other triggers check rows that were sent before, or other columns",
  "UPDATE on payouts":
    "the payee tried is set on release from pending; the other triggers check other columns or released payouts",
}

/** Foreign keys to deletable rows without an index, and why. */
export const unindexed = {
  "bank_payers (policy_id, group_id) → policies": "draft policies alone are deleted, one at a time",
  "member_month_ends (policy_id, group_id) → policies": "draft policies alone are deleted, one at a time",
  "month_excuses (policy_id, group_id) → policies": "draft policies alone are deleted, one at a time",
  "receipt_edits (policy_id) → policies": "draft policies alone are deleted, one at a time",
  "notifications (group_id) → employer_groups": "an employer is deleted with its only draft policy",
  "staff_lists (default_tier_id) → benefit_tiers": "a tier is deleted by hand",
  "invoice_lines (tier_id) → benefit_tiers": "a tier is deleted by hand, and each invoice line would pay for the index",
}
