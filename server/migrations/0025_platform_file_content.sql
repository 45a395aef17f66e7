-- Finds files of the same content.
create index files_sha256 on files (sha256);
