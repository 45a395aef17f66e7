import { type Day, formatDay } from "@milkwood/domain/kernel/calendar"
import { formatMoney } from "@milkwood/domain/kernel/money"
import { coverText } from "@milkwood/domain/letters/cover-text"
import { type LetterRow, letterKindNames } from "@milkwood/domain/letters/letter"
import { type MemberStatus, type Relationship, relationshipText } from "@milkwood/domain/members/member"
import { platformSettings } from "@milkwood/domain/platform/platform-settings"
import { sql } from "drizzle-orm"
import { dependentName } from "../members/cover.queries.ts"
import { type CoveredPerson, loadCoverage } from "../members/coverage.queries.ts"
import { type Cx, refused } from "../platform/calls/commands.ts"
import { readSettings } from "../platform/settings/store.ts"
import { addressLines, type LetterSource, letterChoiceOf } from "./letter-source.ts"

interface MemberFacts {
  id: string
  number: string
  groupId: string
  status: MemberStatus
  name: string
  address: string
  email: string
  joinedOn: Day
  policy: string
  group: string
  isCovered: boolean
  dependents: { name: string; relationship: Relationship; since: Day }[]
}

export async function loadMemberLetters(cx: Cx, memberId: string): Promise<LetterSource> {
  const { today, currency } = cx
  const member = await cx.tx.row<MemberFacts>(sql`
    select m.id, m.number, m.group_id as "groupId", m.status, m.first_name || ' ' || m.last_name as name, m.address,
      m.email, m.start_on as "joinedOn", p.number as policy, g.name as "group",
      m.forgotten_on is null and p.status = 'Active' and exists (
        select from member_covers c
        where c.member_id = m.id and c.superseded_at is null and c.kind = 'covered' and c.valid @> ${today}::date
      ) as "isCovered", (
        select coalesce(jsonb_agg(jsonb_build_object('name', ${dependentName}, 'relationship', d.relationship,
          'since', (select min(lower(f.valid)) from dependent_covers f where f.dependent_id = d.id and f.superseded_at is null))
          order by d.position, d.id), '[]')
        from dependents d where d.member_id = m.id and exists (
          select from dependent_covers dc
          where dc.dependent_id = d.id and dc.superseded_at is null and dc.valid @> ${today}::date)) as dependents
    from members m join policies p on p.id = m.policy_id join employer_groups g on g.id = m.group_id
    where m.id = ${memberId}`)
  if (!member) throw refused("NOT_FOUND")
  const kinds = member.isCovered ? (["cover_confirmation", "joining_certificate"] as const) : []
  return {
    record: { kind: "member", id: member.id, label: member.number },
    groupId: member.groupId,
    memberId: member.id,
    choices: kinds.map((kind) => letterChoiceOf(kind, letterKindNames[kind])),
    contentOf: async ({ kind }) => {
      const { dateFormat } = await readSettings(cx.tx, platformSettings)
      const day = (on: Day) => formatDay(on, dateFormat)
      const { tier, persons } = await loadCoverage(cx.tx, memberId, today)
      const covered = persons.filter(({ cover }) => cover === "covered")
      const ownBenefits = covered.filter(({ dependentId }) => dependentId === null)
      const rowsOf = (person: CoveredPerson): LetterRow[] =>
        person.benefits
          .filter(({ gap }) => gap === null)
          .map(({ benefit, maxCoverCents, claimableFrom, childCapCents, ...cover }) => ({
            label: claimableFrom && claimableFrom > today ? `${benefit} (from ${day(claimableFrom)})` : benefit,
            value: [
              coverText(
                {
                  ...cover,
                  ...{ amountCents: maxCoverCents ?? 0, salaryMultiple: null, percentage: cover.coverPercentage },
                  coverYear: cover.coverYear ?? "calendar",
                },
                currency,
              ),
              ...(childCapCents === null
                ? []
                : [`on death at most ${formatMoney(childCapCents, currency)} from all policies`]),
            ].join("; "),
            isTotal: false,
          }))
      const people = covered.flatMap((person) => {
        const who = person.dependentId === null ? "member" : relationshipText(person.insured as Relationship)
        return [{ label: `${person.name} (${who})`, value: "", isTotal: false }, ...rowsOf(person)]
      })
      const dependents = member.dependents.map(({ name, relationship, since }) => ({
        label: `${name} (${relationshipText(relationship)})`,
        value: `since ${day(since)}`,
        isTotal: false,
      }))
      const none = [{ label: "None", value: "", isTotal: false }]
      return {
        addressee: addressLines(member.name, member.address),
        email: member.email,
        values: {
          ...{ member: member.name, policy: member.policy, group: member.group, tier, joinedOn: day(member.joinedOn) },
          cover: kind === "cover_confirmation" ? people : ownBenefits.flatMap(rowsOf),
          dependents: dependents.length > 0 ? dependents : none,
        },
      }
    },
  }
}
