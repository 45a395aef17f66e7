import { count, instant, list, money, record, text } from "../kernel/list.ts"

const namedColumns = {
  permission: "benefits.read",
  order: "name",
  search: "Search name or description",
} as const
const name = text("Name", { sort: true })
const description = text("Description")
const createdAt = instant("Created", { sort: true })

export const productTypesList = list({
  ...namedColumns,
  key: "product-types",
  noun: { one: "product type", many: "product types" },
  columns: { name, description, vat: count("VAT", { of: "vatPercent" }), createdAt },
})

export const benefitsList = list({
  ...namedColumns,
  key: "benefits",
  noun: { one: "benefit", many: "benefits" },
  columns: { name, description, claimTypes: text("Claim types"), createdAt },
})

export const tiersList = list({
  ...namedColumns,
  key: "tiers",
  noun: { one: "benefit tier", many: "benefit tiers" },
  order: "position",
  sorts: ["position"],
  columns: { name, description, createdAt },
})

export const productBenefitsList = list({
  key: "product-benefits",
  noun: { one: "product benefit", many: "product benefits" },
  permission: "benefits.read",
  order: "productType",
  search: "Search product type, benefit or tier",
  filters: { productTypeId: record("Product type", "product type") },
  columns: {
    productType: text("Product Type", { sort: true }),
    benefit: text("Benefit", { sort: true }),
    tier: text("Benefit Tier", { sort: true }),
    cost: money("Cost", { of: "costCents", sort: "costCents" }),
    coverAmount: money("Cover Amount", { of: "coverAmountCents", sort: "coverAmountCents" }),
    coverPercentage: count("Cover %", { sort: true }),
  },
})
