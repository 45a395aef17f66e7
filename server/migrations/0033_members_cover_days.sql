-- The scheme portfolio and the renewals count covers.
drop table cover_days;
