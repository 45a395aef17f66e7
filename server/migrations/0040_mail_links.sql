-- A link to sign in stands in no mail that people can read once it was sent: the text holds a placeholder, the link
-- stands beside it until the mail is on its way.

alter table mails add column secret text;
alter table mails no force row level security;
with linked as (
  select id, substring(text_body from '(https?://[^[:space:]#]+/(?:setup|confirm-email|reset-password|accept-invitation)#[^[:space:]]+)') as link
  from mails
)
update mails m
set text_body = replace(m.text_body, l.link, '[a link that only the mail itself holds]'),
  secret = case when m.state = 'sent' then null else l.link end
from linked l where l.id = m.id and l.link is not null;
alter table mails force row level security;
alter table mails add constraint mails_sent_keep_no_secret check (state <> 'sent' or secret is null);
