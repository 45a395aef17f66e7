-- The movements are computed from covers. `cover_steps` alone referred to the name of an employer in lower case.
drop table cover_steps;
alter table employer_groups drop column name_key;
