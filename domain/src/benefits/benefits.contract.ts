import { z } from "zod"
import { day, instant } from "../kernel/calendar-shape.ts"
import type { ListWords } from "../kernel/list.ts"
import { listInput, listOutput } from "../kernel/list-shape.ts"
import { cents } from "../kernel/money-shape.ts"
import { readProcedure, writeProcedure } from "../kernel/procedure.ts"
import { benefitActions } from "./benefit.ts"
import {
  benefitFields,
  coverChange,
  dependentCover,
  hasOneMaximum,
  namedFields,
  oneMaximumIssue,
  productBenefitFields,
  productTypeFields,
  startingSetFields,
} from "./benefit-shape.ts"
import { coverYears } from "./benefit-terms.ts"
import { benefitsList, productBenefitsList, productTypesList, tiersList } from "./benefits.list.ts"
import { claimTypes } from "./claim-type.ts"
import { usage } from "./usage-shape.ts"
import { vatClasses, vatNumberMissing } from "./vat.ts"
import { vatRate } from "./vat-shape.ts"

const row = z.object({
  id: z.uuid(),
  name: z.string(),
  description: z.string(),
  createdAt: instant,
  version: z.int(),
  allowedActions: z.array(z.enum(benefitActions)),
})

export type NamedRow = z.infer<typeof row>

export const benefitRow = row.extend({
  claimTypes: z.array(z.enum(claimTypes)),
})
export type BenefitRow = z.infer<typeof benefitRow>

export const tierRow = row.extend({ position: z.int() })
export type TierRow = z.infer<typeof tierRow>

export const productTypeRow = row.extend({
  /** Today's VAT class and rate in per cent. */
  vatClass: z.enum(vatClasses),
  vatPercent: z.number(),
  vatRates: z.array(vatRate),
  /** Whether the rules for funeral policies apply. */
  isFuneral: z.boolean(),
})
export type ProductTypeRow = z.infer<typeof productTypeRow>

const coverFields = {
  /** The cover of the member, up to `coverYear`. */
  coverAmountCents: cents,
  salaryMultiple: z.number().nullable(),
  coverPercentage: z.int(),
  incidentLimitCents: cents.nullable(),
  yearLimitCents: cents.nullable(),
  coverYear: z.enum(coverYears),
  /** Null means that each dependent has the member's cover. */
  dependents: z.array(dependentCover).nullable(),
}

export const productBenefitRow = z.object({
  id: z.uuid(),
  productTypeId: z.uuid(),
  productType: z.string(),
  benefitId: z.uuid(),
  benefit: z.string(),
  tierId: z.uuid(),
  tier: z.string(),
  costCents: cents,
  /** Today's cover. */
  ...coverFields,
  /** Changes of cover by first incident day, oldest first; `from` null is the first. */
  terms: z.array(
    z.object({
      from: day.nullable(),
      /** Why past days were corrected; null for other changes. */
      reason: z.string().nullable(),
      ...coverFields,
    }),
  ),
  version: z.int(),
  allowedActions: z.array(z.enum(benefitActions)),
})
export type ProductBenefitRow = z.infer<typeof productBenefitRow>

const affectedClaims = z.object({ count: z.int(), examples: z.array(z.string()) })

const choice = z.object({ id: z.uuid(), name: z.string() })

const taken = { NAME_TAKEN: { status: 409, message: "This name is already in use." } } as const
const inUse = {
  IN_USE: { status: 409, message: "This record is in use.", data: z.object({ by: z.array(usage) }) },
} as const
const alreadyConfigured = {
  ALREADY_CONFIGURED: { status: 409, message: "This benefit is already configured for this product type and tier." },
} as const
const edit = { id: z.uuid(), version: z.int() }
const target = z.object(edit)
const tags = ["Benefits"]

function namedProcedures<
  D extends ListWords,
  Fields extends z.ZodObject,
  Edit extends z.ZodObject,
  Row extends z.ZodType,
>(path: string, one: string, { list, fields, edited, row }: { list: D; fields: Fields; edited: Edit; row: Row }) {
  return {
    /** A page in the list's order; search covers name and description. */
    list: readProcedure("benefits.read")
      .route({ method: "GET", path: `/benefits/${path}`, summary: `List ${path.replace("-", " ")}`, tags })
      .input(listInput(list))
      .output(listOutput(list, row)),
    /** NOT_FOUND if the record does not exist. */
    get: readProcedure("benefits.read")
      .route({ method: "GET", path: `/benefits/${path}/{id}`, summary: `Read a ${one}`, tags })
      .input(z.object({ id: z.uuid() }))
      .output(row),
    /** NAME_TAKEN when the name exists. */
    create: writeProcedure("benefits.write")
      .route({ method: "POST", path: `/benefits/${path}`, summary: `Add a ${one}`, tags })
      .input(fields)
      .output(row)
      .errors(taken),
    update: writeProcedure("benefits.write")
      .route({ method: "PUT", path: `/benefits/${path}/{id}`, summary: `Edit a ${one}`, tags })
      .input(edited)
      .output(row)
      .errors(taken),
    /** Refuses IN_USE while anything uses it. */
    remove: writeProcedure("benefits.write")
      .route({ method: "DELETE", path: `/benefits/${path}/{id}`, summary: `Delete a ${one}`, tags })
      .input(target)
      .output(z.object({ id: z.uuid() }))
      .errors(inUse),
  }
}

/**
 * Product types, benefits, tiers and product benefits. Every role may read; insurer staff may edit. Names are unique
 * ignoring case. Refuses a stale version, and deletion of a record in use, naming the uses.
 */
export const benefitsContract = {
  /** Product types and benefits by name, tiers in their order. */
  choices: readProcedure("benefits.read")
    .route({ method: "GET", path: "/benefits/choices", summary: "List the choices for forms", tags })
    .output(z.object({ productTypes: z.array(choice), benefits: z.array(choice), tiers: z.array(choice) })),

  /**
   * Adds a product type, its benefits and missing tiers, and configures each benefit for each tier, all or nothing.
   * INVALID at the field for a name in use, or for VAT without the organisation's VAT number.
   */
  addStartingSet: writeProcedure("benefits.write")
    .route({ method: "POST", path: "/benefits/starting-sets", summary: "Add a product type with its benefits", tags })
    .input(startingSetFields)
    .output(z.object({ productType: productTypeRow, benefits: z.array(benefitRow), productBenefits: z.int() }))
    .errors({ ...taken, ...vatNumberMissing }),

  productTypes: {
    ...namedProcedures("product-types", "product type", {
      list: productTypesList,
      fields: productTypeFields,
      edited: productTypeFields.extend(edit),
      row: productTypeRow,
    }),
    /** NO_VAT_NUMBER when its rates charge VAT and the organisation has no VAT number. */
    create: writeProcedure("benefits.write")
      .route({ method: "POST", path: "/benefits/product-types", summary: "Add a product type", tags })
      .input(productTypeFields)
      .output(productTypeRow)
      .errors({ ...taken, ...vatNumberMissing }),
    /**
     * NO_VAT_NUMBER as for `create`, if the rates change. INVALID, naming the policies, if it becomes a funeral product and
     * the waiting period of an active or suspended policy is too long.
     */
    update: writeProcedure("benefits.write")
      .route({ method: "PUT", path: "/benefits/product-types/{id}", summary: "Edit a product type", tags })
      .input(productTypeFields.extend(edit))
      .output(productTypeRow)
      .errors({ ...taken, ...vatNumberMissing }),
  },
  benefits: namedProcedures("benefits", "benefit", {
    list: benefitsList,
    fields: benefitFields,
    edited: benefitFields.extend(edit),
    row: benefitRow,
  }),
  tiers: {
    ...namedProcedures("tiers", "benefit tier", {
      list: tiersList,
      fields: namedFields,
      edited: namedFields.extend(edit),
      row: tierRow,
    }),
    /** Lowest tier first; INVALID unless every tier is listed once. */
    reorder: writeProcedure("benefits.write")
      .route({ method: "POST", path: "/benefits/tiers/order", summary: "Reorder the benefit tiers", tags })
      .input(z.object({ ids: z.array(z.uuid()).min(1) }))
      .output(z.object({ rows: z.array(tierRow) })),
  },

  productBenefits: {
    /** Sorted by product type, benefit and tier by default. */
    list: readProcedure("benefits.read")
      .route({ method: "GET", path: "/benefits/configuration", summary: "List product benefits", tags })
      .input(listInput(productBenefitsList))
      .output(listOutput(productBenefitsList, productBenefitRow)),
    /** NOT_FOUND if the record does not exist. */
    get: readProcedure("benefits.read")
      .route({ method: "GET", path: "/benefits/configuration/{id}", summary: "Read a product benefit", tags })
      .input(z.object({ id: z.uuid() }))
      .output(productBenefitRow),
    /** Only one per product type, benefit and tier. Its cover applies to incidents on any day. */
    create: writeProcedure("benefits.write")
      .route({ method: "POST", path: "/benefits/configuration", summary: "Add a product benefit", tags })
      .input(productBenefitFields.refine(hasOneMaximum, oneMaximumIssue))
      .output(productBenefitRow)
      .errors(alreadyConfigured),
    /**
     * Changed cover applies to incidents from `from` (null: today) until the next recorded change. Submitted claims keep
     * their cover. INVALID without a reason when `from` is before today, because that corrects a mistake. Product type,
     * benefit and tier cannot change while an open claim uses the product benefit.
     */
    update: writeProcedure("benefits.write")
      .route({ method: "PUT", path: "/benefits/configuration/{id}", summary: "Edit a product benefit", tags })
      .input(productBenefitFields.extend({ ...coverChange.shape, ...edit }).refine(hasOneMaximum, oneMaximumIssue))
      .output(productBenefitRow)
      .errors({ ...alreadyConfigured, ...inUse }),
    /**
     * Claims affected by cover changed from a day: drafts take the changed cover, submitted claims keep theirs. At most three
     * numbers of each.
     */
    effect: readProcedure("benefits.write")
      .route({
        method: "GET",
        path: "/benefits/configuration/{id}/effect",
        summary: "Claims affected by a change",
        tags,
      })
      .input(z.object({ id: z.uuid(), from: day }))
      .output(z.object({ drafts: affectedClaims, submitted: affectedClaims })),
    /** Refused while an open claim uses the product benefit; rejected and paid claims do not prevent it. */
    remove: writeProcedure("benefits.write")
      .route({ method: "DELETE", path: "/benefits/configuration/{id}", summary: "Delete a product benefit", tags })
      .input(target)
      .output(z.object({ id: z.uuid() }))
      .errors(inUse),
  },
}
