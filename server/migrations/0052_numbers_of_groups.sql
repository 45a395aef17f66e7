-- A group's people look for claims and invoices by the beginning of a number, within their groups.
create index claims_group_number on claims (group_id, number text_pattern_ops);
create index invoices_group_number on invoices (group_id, number text_pattern_ops);
