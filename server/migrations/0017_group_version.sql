-- A group is renamed through one of its policies, and then each of them is a version on; its own counted nothing.

alter table employer_groups drop column version;
