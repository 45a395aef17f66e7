-- The report of ages and lives counts covers.
drop table open_lives;
