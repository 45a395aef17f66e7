import { sql } from "drizzle-orm"

/**
 * The addressee of a document about policy `p` of employer `g`. Address and VAT number are the policy's own, or else the
 * employer's.
 */
export const addressee = sql`jsonb_build_object('groupName', g.name, 'contactName', p.contact_name,
  'contactEmail', p.contact_email, 'registrationNumber', g.registration_number,
  'vatNumber', coalesce(nullif(p.company_vat_number, ''), g.vat_number),
  'address', coalesce(nullif(p.company_address, ''), nullif(g.postal_address, ''), g.address))`
