import type { ContactPurpose } from "@milkwood/domain/employers/employer-contact"
import { type SQL, sql } from "drizzle-orm"

interface MainContact {
  groupId: SQL
  email: SQL
  name: SQL
}

/**
 * Recipients of an employer's mails for a purpose, as SQL: addresses (`to`) and names (`contact`), joined by commas. They
 * are the employer's contacts of that purpose; without one, the main contact of the policy.
 */
export function recipientsOf(
  purpose: ContactPurpose,
  { groupId, email, name }: MainContact,
): { to: SQL; contact: SQL } {
  const joined = (column: SQL) => sql`(
    select string_agg(${column}, ', ' order by lower(ec.name), ec.id) from employer_contacts ec
    where ec.group_id = ${groupId} and ec.purposes @> array[${sql.raw(`'${purpose}'`)}])`
  return {
    to: sql`coalesce(${joined(sql`ec.email`)}, ${email})`,
    contact: sql`coalesce(${joined(sql`ec.name`)}, ${name})`,
  }
}

/** Whether `address` (lower case) is that of a contact of the employer. */
export const isContactAddress = (groupId: SQL, address: SQL): SQL => sql`
  exists (select from employer_contacts ec where ec.group_id = ${groupId} and lower(ec.email) = ${address})`
