-- Whether the rules for funeral policies apply.
alter table product_types add column is_funeral boolean not null default false;
