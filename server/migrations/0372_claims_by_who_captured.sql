-- The claims that somebody typed into, for the list of one's own.
create index claims_captured_by on claims using gin (captured_by);
