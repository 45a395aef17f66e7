import { benefitActionsOf } from "@milkwood/domain/benefits/benefit"
import {
  type BenefitRow,
  benefitsContract,
  type NamedRow,
  type ProductBenefitRow,
  type ProductTypeRow,
  type TierRow,
} from "@milkwood/domain/benefits/benefits.contract"
import { benefitsList, productBenefitsList, productTypesList, tiersList } from "@milkwood/domain/benefits/benefits.list"
import type { ListWords } from "@milkwood/domain/kernel/list"
import { sql } from "drizzle-orm"
import { ruleActor } from "../platform/calls/actor.ts"
import { query } from "../platform/calls/commands.ts"
import { matchesPattern } from "../platform/database/like.ts"
import { List } from "../platform/lists/list.ts"
import type { SourceCx } from "../platform/lists/source.ts"
import {
  type NamedTable,
  namedColumns,
  productBenefitColumns,
  productBenefitTerms,
  withVat,
} from "./benefits.queries.ts"

const withActions = <Row>(row: Omit<Row, "allowedActions">, { actor }: SourceCx) =>
  ({ ...row, allowedActions: benefitActionsOf(ruleActor(actor).role) }) as Row

const createNamedList = <D extends ListWords, Row extends NamedRow>(
  declared: D,
  table: NamedTable,
  present: (row: Row, cx: SourceCx) => Row = withActions,
) =>
  new List<D, Row>(declared, {
    select: () => sql`
    select ${namedColumns[table]}, lower(name) as _name, lower(description) as _description from ${sql.raw(table)}`,
    search: (pattern) => [
      { like: matchesPattern(sql`s._name`, pattern) },
      { like: matchesPattern(sql`s._description`, pattern) },
    ],
    sortColumns: { name: ["_name"] } as never,
    present,
  })

export const productTypes = createNamedList<typeof productTypesList, ProductTypeRow>(
  productTypesList,
  "product_types",
  (row, cx) => withVat(withActions(row, cx), cx.today),
)
export const benefits = createNamedList<typeof benefitsList, BenefitRow>(benefitsList, "benefits")
export const tiers = createNamedList<typeof tiersList, TierRow>(tiersList, "benefit_tiers")

export const productBenefits = new List<typeof productBenefitsList, ProductBenefitRow>(productBenefitsList, {
  select: ({ today }) => sql`
    select ${productBenefitColumns}, pb.product_type_id as "_productTypeId",
      lower(pt.name) as "_productType", lower(b.name) as _benefit, lower(t.name) as _tier, t.position as _position
    from product_benefits pb
    left join product_types pt on pt.id = pb.product_type_id
    left join benefits b on b.id = pb.benefit_id
    left join benefit_tiers t on t.id = pb.tier_id
    ${productBenefitTerms(today)}`,
  search: (pattern) => [
    { like: matchesPattern(sql`s."_productType"`, pattern) },
    { like: matchesPattern(sql`s._benefit`, pattern) },
    { like: matchesPattern(sql`s._tier`, pattern) },
  ],
  sortColumns: {
    productType: ["_productType", "_benefit", "_position"],
    benefit: ["_benefit", "_productType", "_position"],
    tier: ["_position", "_productType", "_benefit"],
  },
  present: withActions<ProductBenefitRow>,
})

export const listProductTypes = query(benefitsContract.productTypes.list, (cx) => productTypes.page(cx, cx.input))
export const listBenefits = query(benefitsContract.benefits.list, (cx) => benefits.page(cx, cx.input))
export const listTiers = query(benefitsContract.tiers.list, (cx) => tiers.page(cx, cx.input))
export const listProductBenefits = query(benefitsContract.productBenefits.list, (cx) =>
  productBenefits.page(cx, cx.input),
)
