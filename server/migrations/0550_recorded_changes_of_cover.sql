-- A change of tier or kind holds until the next recorded change of the same fact. Two covers of one member may follow each
-- other with the same tier and kind, so each row says which of its two facts was recorded for its first day. A fact that
-- was not recorded continues from the cover before.
alter table member_covers
  add sets_kind boolean not null default true,
  add sets_tier boolean not null default true;

-- Of the covers there are, a fact that equals that of the cover before was not recorded. After days without cover the kind
-- was recorded with the return, and the tier was taken along.
alter table member_covers no force row level security;
alter table member_covers disable trigger user;
update member_covers c set sets_kind = was.sets_kind, sets_tier = was.sets_tier
from (
  select id, not follows or kind <> kind_before as sets_kind, tier_id is distinct from tier_before as sets_tier
  from (
    select id, kind, tier_id, coalesce(lag(upper(valid)) over each = lower(valid), false) as follows,
      lag(kind) over each as kind_before, lag(tier_id) over each as tier_before
    from member_covers where superseded_at is null
    window each as (partition by member_id order by lower(valid))
  ) one
) was
where was.id = c.id and not (was.sets_kind and was.sets_tier);
alter table member_covers enable trigger user;
alter table member_covers force row level security;
