import { dependentFields } from "@milkwood/domain/members/dependent-fields"
import { memberFields } from "@milkwood/domain/members/member-fields"
import { type SQL, sql } from "drizzle-orm"
import { dependentName } from "../members/cover.queries.ts"
import { columnsOf } from "../platform/database/declared-fields.ts"
import { decryptedDetail } from "../platform/trail/facts.ts"

interface ArchiveSection {
  name: string
  words: string
  rows: SQL
}

const auditedRecordsOf = (memberId: string): SQL => sql`(
  select ${memberId}::uuid union select id from claims where member_id = ${memberId}
  union select id from payouts where member_id = ${memberId}
    or subject_kind = 'claim' and subject_id in (select id from claims where member_id = ${memberId})
  union select id from refunds where member_id = ${memberId})`

/** Records that mails are about. */
const mailedRecordsOf = (memberId: string): SQL => sql`(
  select id from ${auditedRecordsOf(memberId)} audited (id) union select id from letters where member_id = ${memberId})`

const userNameSql = (column: string): SQL => sql.raw(`(select name from users where id = ${column})`)

const noteColumns = sql`
  n.kind, n.direction, n.person, n.contact, n.text, n.happened_on, n.follow_up_on, n.followed_up_at,
  ${userNameSql("n.followed_up_by")} as followed_up_by, n.written_at, ${userNameSql("n.written_by")} as written_by,
  n.struck_at, n.struck_reason`

/** One section per table. Add new tables about people here. */
export const archiveSectionsOf = (memberId: string): ArchiveSection[] => [
  {
    name: "member",
    words: "The person's details as a member of the policy",
    rows: sql`
      select m.number, ${columnsOf(memberFields, "m")}, m.status, m.status_reason, m.start_on, m.end_on, t.name as tier, p.number as policy,
        g.name as group_name, m.created_at, m.updated_at
      from members m join policies p on p.id = m.policy_id join employer_groups g on g.id = m.group_id
      left join benefit_tiers t on t.id = m.tier_id where m.id = ${memberId}`,
  },
  {
    name: "days of cover",
    words: "Periods of cover, with the times they were recorded and replaced",
    rows: sql`
      select c.kind, c.valid::text as days, t.name as tier, c.reason, c.recorded_at, c.superseded_at
      from member_covers c left join benefit_tiers t on t.id = c.tier_id where c.member_id = ${memberId} order by c.recorded_at, c.valid`,
  },
  {
    name: "salaries",
    words: "Monthly salaries, if cover depends on them",
    rows: sql`
      select monthly_cents, valid::text as days, recorded_at, superseded_at from member_salaries where member_id = ${memberId} order by recorded_at`,
  },
  {
    name: "earlier dates of birth",
    words: "Earlier dates of birth, before corrections",
    rows: sql`select born_on, superseded_at from former_birth_dates where member_id = ${memberId} order by superseded_at`,
  },
  {
    name: "dependents",
    words: "Dependents of the person, current and former",
    rows: sql`
      select ${columnsOf(dependentFields, "d")}, d.from_on, d.until_on, d.created_at, d.updated_at
      from dependents d where d.member_id = ${memberId} order by d.position, d.id`,
  },
  {
    name: "dependents' days of cover",
    words: "Periods of cover, with the times they were recorded and replaced",
    rows: sql`
      select d.first_name, d.last_name, c.relationship, c.born_on, c.valid::text as days, c.recorded_at, c.superseded_at
      from dependent_covers c left join dependents d on d.id = c.dependent_id where c.member_id = ${memberId} order by c.recorded_at`,
  },
  {
    name: "beneficiaries",
    words: "Beneficiaries that the person nominated, with the times they were recorded and corrected",
    rows: sql`
      select n.from_on, p.name, p.relationship, p.share_basis_points / 100.0 as share_per_cent, p.id_number, p.date_of_birth, p.phone,
        p.email, p.bank, p.branch_code, p.account_number, ${userNameSql("n.recorded_by")} as recorded_by, n.recorded_at,
        n.superseded_at, n.superseded_reason
      from nominations n left join nominees p on p.nomination_id = n.id
      where n.member_id = ${memberId} order by n.from_on, n.recorded_at, p.position`,
  },
  {
    name: "forms of beneficiaries",
    words: "Documents of the nominations, stored in the folder “documents”",
    rows: sql`
      select n.from_on as nomination_from, d.document_type, d.name, f.size, f.sha256, ${userNameSql("d.uploaded_by")} as uploaded_by,
        d.uploaded_at
      from nomination_documents d join nominations n on n.id = d.nomination_id join files f on f.id = d.file_id
      where n.member_id = ${memberId} order by n.from_on, d.uploaded_at, d.id`,
  },
  {
    name: "claims",
    words: "Claims, including medical details",
    rows: sql`
      select c.number, c.status, c.claim_type, b.name as benefit, ${dependentName} as insured_dependent, c.incident_on, c.incident_country, c.notification_on, c.claim_amount_cents,
        c.requested_amount_cents, c.approved_amount_cents, c.cause_of_death, c.description, c.diagnosis, c.hospital_name, c.doctor_name, c.treatment_details, c.bill_number,
        ${userNameSql("c.submitted_by")} as submitted_by, c.submitted_at, ${userNameSql("c.reviewed_by")} as reviewed_by, c.reviewed_at, c.rejected_at,
        c.rejection_reason, c.withdrawn_at, ${userNameSql("c.withdrawn_by")} as withdrawn_by, c.withdrawal_reason, c.final_approval_at, c.payment_on, c.created_at
      from claims c left join benefits b on b.id = c.benefit_id left join dependents d on d.id = c.dependent_id
      where c.member_id = ${memberId} order by c.created_at, c.id`,
  },
  {
    name: "decisions",
    words: "Decisions on the claims, with their comments",
    rows: sql`
      select c.number as claim, a.round, a.stage, a.status, a.approved_amount_cents, a.comment, a.reduction_reason,
        ${userNameSql("a.decided_by")} as decided_by, a.decided_at
      from claim_approvals a join claims c on c.id = a.claim_id where c.member_id = ${memberId} order by c.created_at, a.round, a.created_at`,
  },
  {
    name: "reopened claims",
    words: "Appeals against rejections, and withdrawn approvals, with the former decision",
    rows: sql`
      select c.number as claim, r.kind, r.round, r.reason, r.received_on, r.is_late, r.decided_at, r.rejection_reason,
        r.approved_amount_cents, ${userNameSql("r.reopened_by")} as reopened_by, r.reopened_at
      from claim_reopenings r join claims c on c.id = r.claim_id where c.member_id = ${memberId} order by c.created_at, r.round`,
  },
  {
    name: "reserves of claims",
    words: "Reserves of the claims, with the reasons of managers",
    rows: sql`
      select c.number as claim, v.moved_on, v.cause, v.change_cents, v.reserve_cents, v.set_cents, v.reason,
        ${userNameSql("v.moved_by")} as moved_by, v.moved_at
      from claim_reserve_movements v join claims c on c.id = v.claim_id
      where c.member_id = ${memberId} order by c.created_at, v.seq`,
  },
  {
    name: "documents",
    words: "Documents of the claims, stored in the folder “documents”",
    rows: sql`
      select c.number as claim, d.document_type, d.name, f.size, f.sha256, ${userNameSql("d.uploaded_by")} as uploaded_by, d.uploaded_at
      from claim_documents d join claims c on c.id = d.claim_id join files f on f.id = d.file_id
      where c.member_id = ${memberId} order by c.created_at, d.uploaded_at, d.id`,
  },
  {
    name: "notes",
    words: "Notes, calls and e-mails that users recorded about the person and their claims",
    rows: sql`
      select m.number as record, ${noteColumns}
      from member_notes n join members m on m.id = n.member_id where n.member_id = ${memberId}
      union all
      select c.number, ${noteColumns}
      from claim_notes n join claims c on c.id = n.claim_id where c.member_id = ${memberId} order by written_at`,
  },
  {
    name: "payees of claims",
    words: "The people recorded as payees of the claims, current and replaced",
    rows: sql`
      select c.number as claim, s.basis, s.reason, p.name, p.relationship, p.share_basis_points / 100.0 as share_per_cent, p.id_number,
        p.date_of_birth, p.received_by, p.receiver_name, p.bank, p.branch_code, p.account_number, p.email,
        ${userNameSql("s.recorded_by")} as recorded_by, s.recorded_at, s.superseded_at
      from claim_payee_sets s join claims c on c.id = s.claim_id join claim_payees p on p.set_id = s.id
      where c.member_id = ${memberId} order by c.created_at, s.recorded_at, p.position`,
  },
  {
    name: "waived documents",
    words: "Required documents that were waived",
    rows: sql`
      select c.number as claim, array_to_string(w.documents, ', ') as documents, w.reason, ${userNameSql("w.waived_by")} as waived_by, w.waived_at,
        w.withdrawn_reason, ${userNameSql("w.withdrawn_by")} as withdrawn_by, w.withdrawn_at
      from claim_document_waivers w join claims c on c.id = w.claim_id
      where c.member_id = ${memberId} order by c.created_at, w.waived_at`,
  },
  {
    name: "letters",
    words: "Letters to the person and about their claims, stored in the folder “documents”",
    rows: sql`
      select l.number, c.number as claim, l.kind, l.written_on, l.wording::text as wording, ${userNameSql("l.written_by")} as written_by,
        l.written_at, (select string_agg(s.to_address, ', ' order by s.sent_at) from letter_mails s where s.letter_id = l.id) as mailed_to
      from letters l left join claims c on c.id = l.claim_id where l.member_id = ${memberId} order by l.written_at, l.id`,
  },
  {
    name: "payments",
    words: "Payments to the person or for their claims",
    rows: sql`
      select number, subject_label as paid_for, amount_cents, method, status, payee_name, payee_bank, payee_branch_code, payee_account_number,
        payee_email, former_payee, attempted_payee, reference, notes, status_reason, created_at, completed_on, returned_on
      from payouts where id in ${auditedRecordsOf(memberId)} order by created_at, id`,
  },
  {
    name: "refunds",
    words: "Premiums that were refunded",
    rows: sql`
      select number, amount_cents, method, reason, period_from_on, period_to_on, reference, notes, status, refunded_on, status_reason, created_at
      from refunds where member_id = ${memberId} order by created_at, id`,
  },
  {
    name: "premiums billed",
    words: "Premiums billed to the employer for the person",
    rows: sql`
      select i.number as invoice, i.status, i.invoice_on, l.billed_month, l.description, l.total_cents
      from invoice_lines l join invoices i on i.id = l.invoice_id where l.member_id = ${memberId} order by i.invoice_on, i.number, l.position`,
  },
  {
    name: "premiums credited",
    words: "Premiums credited to the employer for the person",
    rows: sql`
      select n.number as credit_note, n.credited_on, l.billed_month, l.net_cents, l.vat_cents, n.reason
      from credit_note_lines l join credit_notes n on n.id = l.credit_note_id where l.member_id = ${memberId}
      order by n.credited_on, n.number, l.position`,
  },
  {
    name: "employer's payments",
    words: "Premiums paid for the person, from the employer's remittance lists",
    rows: sql`
      select i.number as invoice, r.file_name, w.who, w.outcome, w.paid_cents, w.billed_cents, w.words, r.created_at
      from remittance_rows w join remittances r on r.id = w.remittance_id join invoices i on i.id = r.invoice_id
      where w.member_id = ${memberId} order by r.created_at, w.position`,
  },
  {
    name: "staff lists",
    words: "Rows about the person in the employer's staff lists",
    rows: sql`
      select l.file_name, l.created_at, r.line, r.outcome, ${columnsOf(memberFields, "r")}, r.start_on, r.salary_cents, r.before
      from staff_list_rows r join staff_lists l on l.id = r.staff_list_id where r.member_id = ${memberId} order by l.created_at, r.row`,
  },
  {
    name: "e-mails",
    words: "E-mails to the person's address and about their records",
    rows: sql`
      select created_at, sent_at, state, to_address, subject, text_body from mails
      where about_id in ${mailedRecordsOf(memberId)}
        or (select lower(email) from members where id = ${memberId} and email <> '')
          = any (regexp_split_to_array(lower(to_address), '\\s*[,;]\\s*'))
      order by created_at, id`,
  },
  {
    name: "notifications",
    words: "Notifications about the person's records",
    rows: sql`
      select n.at, ${userNameSql("n.user_id")} as told, n.kind, n.record_kind, n.record_label, n.detail, n.read_at from notifications n
      where n.record_id in ${auditedRecordsOf(memberId)} order by n.at, n.id`,
  },
  {
    name: "who looked",
    words: "Users who opened the person's records and documents",
    rows: sql`
      select at, actor_name, actor_role, fact, record_kind, record_label, ${decryptedDetail()} as detail from audit_log
      where record_id in ${auditedRecordsOf(memberId)} and record_kind in ('member', 'claim', 'payout', 'refund')
        and fact in ('RecordViewed', 'DocumentOpened', 'MedicalDocumentOpened') order by id`,
  },
  {
    name: "audit trail",
    words: "Changes to the person's records",
    rows: sql`
      select at, actor_name, actor_role, fact, record_kind, record_label, ${decryptedDetail()} as detail from audit_log
      where record_id in ${auditedRecordsOf(memberId)} and record_kind in ('member', 'claim', 'payout', 'refund')
        and fact not in ('RecordViewed', 'DocumentOpened', 'MedicalDocumentOpened') order by id`,
  },
]

export const documentsOfPerson = (memberId: string): SQL => sql`
  select folder, name, file_id as "fileId" from (
    select c.number as folder, d.name, d.file_id, c.created_at, d.uploaded_at, d.id
    from claim_documents d join claims c on c.id = d.claim_id where c.member_id = ${memberId}
    union all
    select 'Beneficiaries from ' || n.from_on, d.name, d.file_id, n.recorded_at, d.uploaded_at, d.id
    from nomination_documents d join nominations n on n.id = d.nomination_id where n.member_id = ${memberId}
    union all
    select 'Letters', l.number || '.pdf', l.file_id, l.written_at, l.written_at, l.id
    from letters l where l.member_id = ${memberId} and l.file_id is not null
  ) held order by created_at, uploaded_at, id`
