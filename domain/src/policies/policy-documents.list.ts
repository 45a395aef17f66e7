import {
  count,
  day,
  days,
  instant,
  list,
  namesFromValues,
  record,
  reference,
  status,
  text,
  words,
} from "../kernel/list.ts"
import { policyStatuses } from "./policy.ts"

export const documentNeeds = ["required", "optional"] as const
export const documentNeedNames = { required: "Required", optional: "Optional" } as const

const policyFilter = {
  groupId: record("Employer", "group"),
  documentTypeId: record("Type", "document type"),
}

export const policyDocumentsList = list({
  key: "policy-documents",
  noun: { one: "document", many: "documents" },
  permission: "policies.read",
  order: "-uploadedAt",
  search: "Search document, policy number or group name",
  filters: {
    uploaded: days("Filter by Date", { of: "uploadedAt" }),
    ...policyFilter,
    policyId: record("Policy", "policy"),
  },
  columns: {
    name: text("Document", { sort: true }),
    type: text("Type", { of: "documentTypeName" }),
    policy: reference("Policy number", { of: "policyNumber" }),
    group: text("Group name", { of: "groupName" }),
    need: words("Requirement", documentNeedNames),
    size: count("Size in bytes"),
    uploadedBy: text("Uploaded by"),
    uploadedAt: instant("Uploaded", { sort: true }),
  },
})

export const requiredDocumentsList = list({
  key: "required-documents",
  noun: { one: "required document", many: "required documents" },
  permission: "policies.read",
  order: "group",
  search: "Search document, policy number or group name",
  filters: policyFilter,
  columns: {
    type: text("Document", { of: "documentTypeName", sort: true }),
    policy: reference("Policy number", { of: "policyNumber", sort: "policyNumber" }),
    group: text("Group name", { of: "groupName", sort: true }),
    status: status("Policy status", namesFromValues(policyStatuses), { of: "policyStatus" }),
    start: day("Effective date", { of: "startOn" }),
  },
})
