-- One reads what one had made and what was sent to one, the last first.
create index report_runs_newest on report_runs (asked_at desc, id desc);
