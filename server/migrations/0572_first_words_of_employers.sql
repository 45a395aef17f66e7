-- Employers are found by the first word of their name, for lines that name several of them in short.
create index employer_groups_first_word on employer_groups ((upper(substring(name from '^[A-Za-z0-9]+'))));
