import { z } from "zod"
import { day, instant } from "../kernel/calendar-shape.ts"
import { listInput, listOutput } from "../kernel/list-shape.ts"
import { readProcedure, writeProcedure } from "../kernel/procedure.ts"
import { line, text } from "../kernel/text-shape.ts"
import { documentShape } from "../platform/documents-shape.ts"
import { documentActions, documentReaders } from "./policy-document.ts"
import { documentNeeds, policyDocumentsList, requiredDocumentsList } from "./policy-documents.list.ts"
import { policyStatus } from "./policy-shape.ts"

const tags = ["Policies"]
const policyId = z.uuid()

export const policyDocumentRow = z.object({
  id: z.uuid(),
  name: z.string(),
  documentTypeId: z.uuid(),
  documentTypeName: z.string(),
  policyId: z.uuid(),
  policyNumber: z.string(),
  groupName: z.string(),
  need: z.enum(documentNeeds),
  mime: z.string(),
  /** In bytes. */
  size: z.int(),
  uploadedBy: z.string(),
  uploadedAt: instant,
  allowedActions: z.array(z.enum(documentActions)),
})
export type PolicyDocumentRow = z.infer<typeof policyDocumentRow>

export const requiredDocumentRow = z.object({
  id: z.uuid(),
  documentTypeId: z.uuid(),
  documentTypeName: z.string(),
  policyId: z.uuid(),
  policyNumber: z.string(),
  policyStatus,
  groupName: z.string(),
  startOn: day.nullable(),
})
export type RequiredDocumentRow = z.infer<typeof requiredDocumentRow>

const typeOfPolicy = z.object({ id: z.uuid(), name: z.string(), required: z.boolean() })

export const policyDocuments = z.object({
  policyId: z.uuid(),
  /** Oldest first; `documentType` is the type's id. */
  documents: z.array(
    documentShape(z.uuid()).extend({
      documentTypeName: z.string(),
      required: z.boolean(),
      allowedActions: z.array(z.enum(documentActions)),
    }),
  ),
  types: z.array(typeOfPolicy),
  missing: z.array(typeOfPolicy),
  mayUpload: z.boolean(),
})
export type PolicyDocuments = z.infer<typeof policyDocuments>
export type PolicyDocument = PolicyDocuments["documents"][number]

export const documentTypeFields = z.object({
  name: line(100, "Use at most 100 characters for the name").min(1, "Enter a name"),
  readers: z.enum(documentReaders),
  requiredForAll: z.boolean(),
  productTypeIds: z.array(z.uuid()).max(200),
})
export type DocumentTypeFields = z.infer<typeof documentTypeFields>

export const documentTypeRow = documentTypeFields.extend({
  id: z.uuid(),
  documents: z.int(),
  version: z.int(),
})
export type DocumentTypeRow = z.infer<typeof documentTypeRow>

const taken = { NAME_TAKEN: { status: 409, message: "A document type with this name already exists." } } as const
const target = { id: z.uuid(), version: z.int() }

/** Files are uploaded to and read from `/api/policies/{policyId}/documents`. */
export const policyDocumentsContract = {
  /** A page of the visible documents of all policies, newest first. Sizes in bytes. */
  list: readProcedure("policies.read")
    .route({ method: "GET", path: "/policies/documents", summary: "List policy documents", tags })
    .input(listInput(policyDocumentsList))
    .output(listOutput(policyDocumentsList, policyDocumentRow)),

  /** A page of missing required documents of policies that have not ended; sorted by group by default. */
  required: readProcedure("policies.read")
    .route({ method: "GET", path: "/policies/documents/required", summary: "List missing documents", tags })
    .input(listInput(requiredDocumentsList))
    .output(listOutput(requiredDocumentsList, requiredDocumentRow)),

  summary: readProcedure("policies.read")
    .route({ method: "GET", path: "/policies/documents/summary", summary: "Read the totals of policy documents", tags })
    .input(z.object({}))
    .output(z.object({ documents: z.int(), thisMonth: z.int(), missing: z.int(), policies: z.int() })),

  /** Documents of a policy and the missing types. NOT_FOUND as for the policy. */
  ofPolicy: readProcedure("policies.read")
    .route({ method: "GET", path: "/policies/{policyId}/documents", summary: "List documents of a policy", tags })
    .input(z.object({ policyId }))
    .output(policyDocuments),

  /**
   * Deletes a document with its file; the reason stays in the audit trail. NOT_FOUND if the policy does not have it.
   */
  remove: writeProcedure("policies.write")
    .route({
      method: "POST",
      path: "/policies/{policyId}/documents/{documentId}/delete",
      summary: "Delete a document of a policy",
      tags,
    })
    .input(z.object({ policyId, documentId: z.uuid(), reason: text(1_000).min(1, "Enter a reason") }))
    .output(policyDocuments),

  types: {
    list: readProcedure("policies.read")
      .route({ method: "GET", path: "/policies/document-types", summary: "List document types", tags })
      .input(z.object({}))
      .output(z.array(documentTypeRow)),

    /** Adds a type. NAME_TAKEN for a duplicate name; INVALID for an unknown product type. */
    create: writeProcedure("settings.manage")
      .route({ method: "POST", path: "/policies/document-types", summary: "Add a document type", tags })
      .errors(taken)
      .input(documentTypeFields)
      .output(documentTypeRow),

    /** Replaces a type. New readers apply to existing documents too. */
    update: writeProcedure("settings.manage")
      .route({ method: "PUT", path: "/policies/document-types/{id}", summary: "Edit a document type", tags })
      .errors(taken)
      .input(documentTypeFields.extend(target))
      .output(documentTypeRow),

    /** Deletes a type; IN_USE if a document has it. */
    remove: writeProcedure("settings.manage")
      .route({ method: "DELETE", path: "/policies/document-types/{id}", summary: "Delete a document type", tags })
      .errors({ IN_USE: { status: 409, message: "Documents of this type exist." } })
      .input(z.object(target))
      .output(z.object({ id: z.uuid() })),
  },
}
