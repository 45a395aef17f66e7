import type { Day } from "@milkwood/domain/kernel/calendar"
import { namesIn, pick, type StoredValues } from "@milkwood/domain/kernel/declared-field"
import { dependentFields } from "@milkwood/domain/members/dependent-fields"
import { warningsOfDependents } from "@milkwood/domain/members/dependents"
import { birthYearOf, hideBirthday, maskIdNumber } from "@milkwood/domain/members/member"
import { futureChangesOf } from "@milkwood/domain/members/member-cover"
import type { MemberFact } from "@milkwood/domain/members/member-facts"
import { type MemberFields, memberField, memberFields } from "@milkwood/domain/members/member-fields"
import { allowedMemberActions } from "@milkwood/domain/members/member-lifecycle"
import { type MemberDetail, membersContract } from "@milkwood/domain/members/members.contract"
import { type SQL, sql } from "drizzle-orm"
import { type Actor, ruleActor, seesAllGroups } from "../platform/calls/actor.ts"
import { type Cx, query, refused } from "../platform/calls/commands.ts"
import { jsonPairsOf, namedColumnsOf } from "../platform/database/declared-fields.ts"
import {
  containsPattern,
  matchesPattern,
  matchesWords,
  patternValues,
  searchPattern,
  wordPatterns,
  wordValues,
} from "../platform/database/like.ts"
import type { IdQuery, OrderBound } from "../platform/lists/source.ts"
import { timeline } from "../platform/trail/facts.ts"
import { loadMemberCoverAt, loadMemberCovers } from "./cover.queries.ts"
import { shownRatedPremium } from "./members.ports.ts"

/** `maskIdNumber` in SQL, if this reader sees masked numbers. */
export const shownIdentity = (actor: Actor, number: SQL): SQL =>
  isMaskedFor(actor) ? sql`repeat('•', greatest(length(${number}) - 3, 0)) || right(${number}, 3)` : number

/** Policy holders see masked ID numbers (product: Who uses it). */
export const isMaskedFor = (actor: Actor): boolean => ruleActor(actor).role === "policy_holder"

/**
 * Matches every word in `m.search_key` (names, numbers, phone, address), in any order. For an e-mail address the
 * trigram index searches only up to the @: colleagues share the domain, and many entries would match it.
 */
export function matchesAnyText(text: string): SQL {
  const key = sql`m.search_key`
  const words = wordPatterns(text)
  const at = text.indexOf("@")
  if (at < 3 || words.length > 1) return matchesWords(key, words)
  return sql`(${key} like ${containsPattern(text.slice(0, at + 1))} and ${key} || '' like ${containsPattern(text)})`
}

/** The range of last names to which a list can limit the search. */
const lastNameRange = (within?: OrderBound): [from: SQL | null, to: SQL | null] => {
  if (within?.column !== "_lastName") return [null, null]
  return within.way === ">=" ? [within.value, null] : [null, within.value]
}

/** `word` uses the index; `others` filter its matches. */
function searchTerms(part: "any" | "name" | "shown", text: string): { word: string; others: string[] } {
  const [first, ...others] = wordPatterns(text)
  const at = part === "any" && others.length === 0 ? text.indexOf("@") : -1
  return at < 3
    ? { word: first, others }
    : { word: containsPattern(text.slice(0, at + 1)), others: [containsPattern(text)] }
}

/**
 * Ids of members in the reader's groups that match every word. Uses a database function, because row-level security
 * prevents the index. `part`: any text, names, or text shown with masked numbers.
 */
export const findMembersByText =
  (part: "any" | "name" | "shown", text: string): IdQuery =>
  (atMost, within) => {
    const { word, others } = searchTerms(part, text)
    const [from, to] = lastNameRange(within)
    const also = others.length > 0 ? sql.param(others) : null
    return sql`select members_found(${part}, ${word}, ${also}::text[], ${from}, ${to}, ${atMost ?? null}) as id`
  }

export const findMembersByName = (text: string, actor: Actor): IdQuery =>
  seesAllGroups(actor)
    ? (atMost, within) => {
        const [from, to] = lastNameRange(within)
        const words = wordPatterns(text)
        return sql`
  select m.id from members m
  where ${matchesPattern(sql`m.search_key`, words[0])} and ${matchesWords(sql`m.name_key`, words)}${
    from ? sql` and m.last_name_key >= ${from}` : sql``
  }${to ? sql` and m.last_name_key <= ${to}` : sql``}${atMost ? sql` limit ${sql.raw(String(atMost))}` : sql``}`
      }
    : findMembersByText("name", text)

const isPossibleNumber = (text: string): boolean => /\d/.test(text) && text.length >= 3

/**
 * Ids of members whose member, employee, ID or phone number contains the text; excludes numbers masked for policy
 * holders. Null if the text cannot be part of a number.
 */
export function findMembersByNumber(text: string, actor: Actor): IdQuery | null {
  if (!isPossibleNumber(text)) return null
  if (!seesAllGroups(actor)) return findMembersByText(isMaskedFor(actor) ? "shown" : "any", text)
  return (atMost) =>
    sql`select m.id from members m where ${matchesAnyText(text)}${atMost ? sql` limit ${sql.raw(String(atMost))}` : sql``}`
}

/** `findMembersByNumber` for one member, for lists that compare few rows. */
export function isMemberNumbered(memberId: SQL, text: string, actor: Actor): SQL {
  if (!isPossibleNumber(text)) return sql`false`
  if (!seesAllGroups(actor)) return sql`${memberId} in (${findMembersByNumber(text, actor)!()})`
  return sql`exists (select from members m where m.id = ${memberId} and ${matchesAnyText(text)})`
}

/**
 * Search parameters of a SQL file that matches its own text or a member. `member_word` and `address` use an index;
 * `part`, `found_word` and `found_words` are for the database functions. `number`: the text may be part of a number.
 */
export function memberSearchValues(text: string, actor: Actor) {
  const part = isMaskedFor(actor) ? "shown" : "any"
  const { word, others } = searchTerms(part, text)
  const words = wordValues(text)
  const isAddress = part === "any" && wordPatterns(text).length === 1 && text.indexOf("@") >= 3
  return {
    ...words,
    ...patternValues("text", searchPattern(text)),
    part,
    found_word: word,
    found_words: others.length > 0 ? others : null,
    member_word: isAddress ? word : words.word,
    address: isAddress ? containsPattern(text) : undefined,
    number: isPossibleNumber(text) ? true : undefined,
  }
}

/** Must equal the expression of the trigram index. */
const dependentNameKey = sql`lower(d.first_name || ' ' || d.last_name)`

/** Whether the text can be a name: three letters or more, no digits or @. */
export const isPossibleDependentName = (text: string): boolean =>
  !/[\d@]/.test(text) && wordPatterns(text)[0].startsWith("%")

/** Ids of members with a dependent whose name matches every word, in any order. */
export const findMembersByDependent =
  (text: string, actor: Actor): IdQuery =>
  (atMost) => {
    const words = wordPatterns(text)
    const [first, ...others] = words
    if (!seesAllGroups(actor)) {
      const also = others.length > 0 ? sql.param(others) : null
      return sql`select members_of_dependents(${first}, ${also}::text[], ${atMost ?? null}) as id`
    }
    const limit = atMost ? sql` limit ${sql.raw(String(atMost))}` : sql``
    return sql`select d.member_id as id from dependents d where ${matchesWords(dependentNameKey, words)}${limit}`
  }

type DetailRow = Omit<
  MemberDetail,
  "statusReason" | "personal" | "contact" | "employment" | "covers" | "warnings" | "allowedActions"
> &
  MemberDetail["personal"] &
  MemberDetail["contact"] &
  MemberDetail["employment"] & { elsewhere: string[]; forgottenOn: string | null }

export async function memberDetail(cx: Pick<Cx, "tx" | "actor" | "today">, memberId: string): Promise<MemberDetail> {
  const row = await cx.tx.row<DetailRow>(sql`
    select m.id, m.number, m.status, m.forgotten_on as "forgottenOn", m.start_on as "startOn", m.end_on as "endOn",
      case when m.end_on is not null then m.status_reason end as "endReason", m.group_id as "groupId", g.name as "groupName",
      jsonb_build_object('id', p.id, 'number', p.number, 'status', p.status, 'premiumCents',
        case when p.rate_table_id is null then p.premium_cents end) as policy,
      case when p.rate_table_id is null then p.premium_cents else r.cents end as "premiumCents", r.unrated,
      m.tier_id as "tierId", t.name as "tierName", ${namedColumnsOf(memberFields, "m")},
      m.to_complete as "toComplete", m.created_at as "createdAt", m.updated_at as "updatedAt", m.version,
      coalesce((select jsonb_agg(jsonb_build_object('id', d.id, ${jsonPairsOf(dependentFields, "d")},
          'fromOn', d.from_on, 'untilOn', d.until_on)
          order by d.position, d.created_at, d.id)
        from dependents d where d.member_id = m.id), '[]') as dependents,
      coalesce((select array_agg(op.number order by op.number)
        from members o join policies op on op.id = o.policy_id
        where o.id_number = m.id_number and o.policy_id <> m.policy_id and o.status <> 'Terminated'), '{}') as elsewhere
    from members m join policies p on p.id = m.policy_id join employer_groups g on g.id = m.group_id
    join benefit_tiers t on t.id = m.tier_id
    left join lateral (${shownRatedPremium(cx.today)}) r on true
    where m.id = ${memberId}`)
  if (!row) throw refused("NOT_FOUND", "This member does not exist.")
  const covers = await loadMemberCovers(cx.tx, memberId)
  const now = covers.find(({ from, until }) => from <= cx.today && (until === null || cx.today <= until))
  const masked = isMaskedFor(cx.actor)
  const shown = masked ? maskIdNumber : (number: string | null) => number
  const birth = (day: Day | null) => ({ dateOfBirth: masked ? null : day, birthYear: birthYearOf(day) })
  const { dateOfBirth, birthYear } = birth(row.dateOfBirth)
  const section = <Name extends "personal" | "contact" | "employment">(name: Name) =>
    pick(row as StoredValues<MemberFields>, namesIn(memberFields, name))
  const warnings = [
    ...row.elsewhere.map((number) => `The same ID number is also in policy ${number}`),
    ...warningsOfDependents(row.dependents, cx.today),
  ]
  return {
    id: row.id,
    number: row.number,
    status: row.status,
    statusReason: row.status === "Terminated" ? row.endReason : now?.kind === "suspended" ? now.reason : null,
    startOn: row.startOn,
    endOn: row.endOn,
    endReason: row.endReason,
    groupId: row.groupId,
    groupName: row.groupName,
    premiumCents: row.premiumCents,
    unrated: row.unrated,
    policy: row.policy,
    tierId: row.tierId,
    tierName: row.tierName,
    personal: {
      ...section("personal"),
      idNumber: shown(row.idNumber),
      passportNumber: shown(row.passportNumber),
      dateOfBirth,
    },
    birthYear,
    contact: section("contact"),
    employment: section("employment"),
    dependents: row.dependents.map((dependent) => ({
      ...dependent,
      ...birth(dependent.dateOfBirth),
      idNumber: shown(dependent.idNumber),
    })),
    covers,
    toComplete: row.toComplete,
    warnings,
    allowedActions: allowedMemberActions(
      {
        status: row.status,
        policyStatus: row.policy.status,
        isForgotten: row.forgottenOn !== null,
        planned: futureChangesOf({ covers, endOn: row.endOn }, cx.today).length > 0,
        kinds: covers.map(({ kind }) => kind),
      },
      ruleActor(cx.actor),
    ),
    createdAt: row.createdAt,
    updatedAt: row.updatedAt,
    version: row.version,
  }
}

export const readMemberDetail = query(membersContract.detail, (cx) => memberDetail(cx, cx.input.memberId))

const nominationFacts = new Set<string>([
  "MemberNominationCorrected",
  "MemberNominationWithdrawn",
] satisfies MemberFact["type"][])

const isMasked = (field: string) =>
  field === "dependentIdNumbers" || field === "document" || Boolean(memberField(field)?.isMasked)

/** For policy holders, without identity numbers, dates of birth, and the reasons of corrected nominations. */
export const readMemberActivity = query(membersContract.activity, async (cx) => {
  const { memberId, before } = cx.input
  await memberDetail(cx, memberId)
  if (!isMaskedFor(cx.actor)) return timeline(cx, "member", memberId, { before })
  const entries = await timeline(cx, "member", memberId, { hide: isMasked, before })
  const words = (said: unknown) =>
    Array.isArray(said) ? said.map((one) => (typeof one === "string" ? hideBirthday(one) : one)) : said
  return entries.map((entry) => ({
    ...entry,
    reason: nominationFacts.has(entry.fact) ? null : entry.reason,
    changes: entry.changes.map((change) =>
      change.field === "dependents" ? { ...change, before: words(change.before), after: words(change.after) } : change,
    ),
  }))
})

export const readCoverOnDay = query(membersContract.coverOn, async (cx) => {
  await memberDetail(cx, cx.input.memberId)
  return { cover: await loadMemberCoverAt(cx.tx, cx.input.memberId, cx.input.on, cx.input.knownAt) }
})
