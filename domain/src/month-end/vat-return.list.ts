import { vatClasses, vatClassNames } from "../benefits/vat.ts"
import { choice, count, day, list, money, month, reference, text, words } from "../kernel/list.ts"
import { vatKindNames, vatKinds } from "./vat-return.ts"

export const vatReturnList = list({
  key: "vat-return",
  noun: { one: "line", many: "lines" },
  permission: "monthEnd.read",
  order: "place",
  sorts: ["place"],
  filters: { month: month("Month") },
  columns: {
    vatClass: words("Class", vatClassNames),
    rate: text("Rate"),
    kind: words("Documents", vatKindNames),
    documents: count("Number"),
    net: money("Excl. VAT", { of: "netCents" }),
    vat: money("VAT", { of: "vatCents" }),
  },
  sums: ["netCents", "vatCents"],
})

/** One row per document, class and rate. */
export const vatDocumentsList = list({
  key: "vat-documents",
  noun: { one: "line", many: "lines" },
  permission: "monthEnd.read",
  order: "countsOn",
  search: "Search document, group or policy",
  filters: {
    month: month("Month"),
    vatClass: choice("Class", vatClasses, vatClassNames),
    kind: choice("Documents", vatKinds, vatKindNames),
  },
  columns: {
    countsOn: day("Tax point", { sort: true }),
    documentOn: day("Document date"),
    kind: words("Document", vatKindNames),
    number: reference("Number", { sort: true }),
    groupName: text("Group", { sort: true }),
    policyNumber: reference("Policy"),
    vatClass: words("Class", vatClassNames),
    rate: text("Rate"),
    net: money("Excl. VAT", { of: "netCents" }),
    vat: money("VAT", { of: "vatCents", sort: "vatCents" }),
  },
  sums: ["netCents", "vatCents"],
})
