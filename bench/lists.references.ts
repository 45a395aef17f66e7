export const membersPage = (found: string, more = "") => `
  select m.id, m.number, m.first_name as "firstName", m.last_name as "lastName", m.id_number as "idNumber", m.email,
    m.job_title as "jobTitle", m.group_id as "groupId", g.name as "groupName", m.policy_id as "policyId",
    p.number as "policyNumber", p.premium_cents as "premiumCents", t.name as "tierName", m.status,
    m.start_on as "startOn", m.end_on as "endOn", m.to_complete as "toComplete", m.version,
    (select count(*) from dependents d where d.member_id = m.id) as dependents${more}
  from (${found}) m
  join policies p on p.id = m.policy_id join employer_groups g on g.id = m.group_id
  join benefit_tiers t on t.id = m.tier_id
  order by m.last_name_key, m.name_key, m.id`

export const bareMembersPage = membersPage("select * from members order by last_name_key, name_key, id limit 50")

export const bareSession = `
  select u.id, u.role, array(select g.group_id from user_groups g where g.user_id = u.id) as groups
  from sessions s join users u on u.id = s.user_id
  where s.token = $1 and s.epoch = u.session_epoch and u.disabled_at is null`

export const bareCounts = `
  select sum(pending) as "Pending", sum(active) as "Active", sum(suspended) as "Suspended", sum(terminated) as "Terminated"
  from member_counts`
