import { memberLabels } from "@milkwood/domain/members/member"

/** "ID number, phone" */
export const fieldNames = (fields: readonly string[]) =>
  fields.map((field, index) => (index === 0 ? memberLabels[field] : lower(memberLabels[field] ?? field))).join(", ")
const lower = (label: string) => (label.startsWith("ID") ? label : label.charAt(0).toLowerCase() + label.slice(1))
