-- A member's preferred language: a code of ISO 639, one of South Africa's official written languages.
alter table members add column preferred_language text
  check (preferred_language in ('af', 'en', 'nr', 'xh', 'zu', 'nso', 'st', 'tn', 'ss', 've', 'ts'));
alter table staff_list_rows add column preferred_language text;
