import { memberLabels } from "@milkwood/domain/members/member"

/** "ID number, phone" */
export const fieldNamesText = (fields: readonly string[]) =>
  fields
    .map((field, index) => (index === 0 ? memberLabels[field] : lowerFirst(memberLabels[field] ?? field)))
    .join(", ")
const lowerFirst = (label: string) => (label.startsWith("ID") ? label : label.charAt(0).toLowerCase() + label.slice(1))
