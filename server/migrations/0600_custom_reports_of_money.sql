-- Custom reports of receipts, claim payments and premium refunds.
alter table custom_reports drop constraint custom_reports_definition_check;
alter table custom_reports add constraint custom_reports_definition_check check (
  jsonb_typeof(definition) = 'object'
  and definition ->> 'type' in ('claims', 'members', 'financial', 'groups', 'receipts', 'payments', 'refunds')
);
