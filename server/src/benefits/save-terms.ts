import { randomUUID } from "node:crypto"
import type { BenefitTerms } from "@milkwood/domain/benefits/benefit-terms"
import type { TermsChange } from "@milkwood/domain/benefits/terms-change"
import type { Day } from "@milkwood/domain/kernel/calendar"
import { sql } from "drizzle-orm"
import type { Cx } from "../platform/calls/commands.ts"

type WritingCx = Pick<Cx, "tx" | "now">

/** Cover of a new product benefit, for incidents on any day. */
export const saveFirstTerms = (cx: WritingCx, productBenefitId: string, terms: BenefitTerms): Promise<void> =>
  insertTerms(cx, productBenefitId, terms, { from: null, until: null, reason: null })

/** Records changed cover from a day until the next recorded change; the product benefit is locked. */
export async function saveChangedTerms(
  cx: WritingCx,
  productBenefitId: string,
  terms: BenefitTerms,
  { from, reason }: TermsChange,
): Promise<void> {
  const { tx, now } = cx
  // Exclusive, as in the ranges: the first day of the next change.
  const next = await tx.row<{ until: Day | null }>(sql`
    select min(lower(valid)) as until from product_benefit_terms
    where product_benefit_id = ${productBenefitId} and superseded_at is null and lower(valid) > ${from}::date`)
  const superseded = await tx.row<{ id: string }>(sql`
    update product_benefit_terms set superseded_at = ${now}
    where product_benefit_id = ${productBenefitId} and superseded_at is null and valid @> ${from}::date
    returning id`)
  if (superseded) await keepEarlierDays(cx, superseded.id, from)
  await insertTerms(cx, productBenefitId, terms, { from, until: next?.until ?? null, reason })
}

async function keepEarlierDays({ tx, now }: WritingCx, termsId: string, until: Day): Promise<void> {
  const id = randomUUID()
  const columns = sql.raw(`product_benefit_id, amount_cents, salary_multiple, percentage, incident_limit_cents,
    year_limit_cents, cover_year, dependents_alike, reason`)
  const kept = await tx.run(sql`
    insert into product_benefit_terms (id, ${columns}, valid, recorded_at)
    select ${id}::uuid, ${columns}, valid * daterange(null, ${until}::date), ${now}::timestamptz
    from product_benefit_terms where id = ${termsId} and not isempty(valid * daterange(null, ${until}::date))`)
  if (kept === 0) return
  const amounts = sql.raw(`insured, age_from, age_to, amount_cents, salary_multiple, percentage, incident_limit_cents,
    year_limit_cents`)
  await tx.run(sql`
    insert into product_benefit_dependents (id, terms_id, ${amounts})
    select gen_random_uuid(), ${id}::uuid, ${amounts} from product_benefit_dependents where terms_id = ${termsId}`)
}

async function insertTerms(
  { tx, now }: WritingCx,
  productBenefitId: string,
  terms: BenefitTerms,
  { from, until, reason }: { from: Day | null; until: Day | null; reason: string | null },
): Promise<void> {
  const id = randomUUID()
  const { amountCents, salaryMultiple, percentage, incidentLimitCents, yearLimitCents, coverYear, dependents } = terms
  await tx.run(sql`
    insert into product_benefit_terms (id, product_benefit_id, valid, amount_cents, salary_multiple, percentage,
      incident_limit_cents, year_limit_cents, cover_year, dependents_alike, reason, recorded_at)
    values (${id}, ${productBenefitId}, daterange(${from}::date, ${until}::date), ${amountCents}, ${salaryMultiple},
      ${percentage}, ${incidentLimitCents}, ${yearLimitCents}, ${coverYear}, ${dependents === null}, ${reason}, ${now})`)
  if (dependents === null || dependents.length === 0) return
  await tx.run(sql`
    insert into product_benefit_dependents (id, terms_id, insured, age_from, age_to, amount_cents, salary_multiple,
      percentage, incident_limit_cents, year_limit_cents)
    select gen_random_uuid(), ${id}::uuid, insured, "ageFrom", "ageTo", "amountCents", "salaryMultiple", percentage,
      "incidentLimitCents", "yearLimitCents"
    from jsonb_to_recordset(${JSON.stringify(dependents)}::jsonb) as (insured text, "ageFrom" integer, "ageTo" integer,
      "amountCents" bigint, "salaryMultiple" numeric, percentage integer, "incidentLimitCents" bigint,
      "yearLimitCents" bigint)`)
}
