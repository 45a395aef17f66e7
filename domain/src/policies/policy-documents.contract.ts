import { z } from "zod"
import { day, instant } from "../kernel/calendar-shape.ts"
import { listInput, listOutput } from "../kernel/list-shape.ts"
import { read, write } from "../kernel/procedure.ts"
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
  /** in bytes */
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

/** A type as one chooses it for a document of this policy. */
const typeOfPolicy = z.object({ id: z.uuid(), name: z.string(), required: z.boolean() })

export const policyDocuments = z.object({
  policyId: z.uuid(),
  /** The oldest first; `documentType` is the id of its type. */
  documents: z.array(
    documentShape(z.uuid()).extend({
      documentTypeName: z.string(),
      required: z.boolean(),
      allowedActions: z.array(z.enum(documentActions)),
    }),
  ),
  /** The types that the reader may know of, by name. */
  types: z.array(typeOfPolicy),
  /** Of the required ones, those that have not been uploaded. */
  missing: z.array(typeOfPolicy),
  mayUpload: z.boolean(),
})
export type PolicyDocuments = z.infer<typeof policyDocuments>
export type PolicyDocument = PolicyDocuments["documents"][number]

/** The form of a type of document. */
export const documentTypeFields = z.object({
  name: line(100, "A name has at most 100 characters").min(1, "Give the type a name"),
  readers: z.enum(documentReaders),
  requiredForAll: z.boolean(),
  /** The product types that require it, when not all do. */
  productTypeIds: z.array(z.uuid()).max(200),
})
export type DocumentTypeFields = z.infer<typeof documentTypeFields>

export const documentTypeRow = documentTypeFields.extend({
  id: z.uuid(),
  /** How many documents there are of it; one that has any is not deleted. */
  documents: z.int(),
  version: z.int(),
})
export type DocumentTypeRow = z.infer<typeof documentTypeRow>

const taken = { NAME_TAKEN: { status: 409, message: "There is already a type of this name." } } as const
const target = { id: z.uuid(), version: z.int() }

/** The documents of policies: files are sent to and read from `/api/policies/{policyId}/documents`. */
export const policyDocumentsContract = {
  /** A page of the documents that the reader may see, of whatever policy, the newest first. Sizes are bytes. */
  list: read("policies.read")
    .route({ method: "GET", path: "/policies/documents", summary: "List policy documents", tags })
    .input(listInput(policyDocumentsList))
    .output(listOutput(policyDocumentsList, policyDocumentRow)),

  /** A page of what policies lack of their required documents, those that have not ended; by group unless asked otherwise. */
  required: read("policies.read")
    .route({ method: "GET", path: "/policies/documents/required", summary: "List missing documents", tags })
    .input(listInput(requiredDocumentsList))
    .output(listOutput(requiredDocumentsList, requiredDocumentRow)),

  /** The figures above the list: all documents, those of this month, and what is missing in how many policies. */
  summary: read("policies.read")
    .route({ method: "GET", path: "/policies/documents/summary", summary: "Figures of policy documents", tags })
    .input(z.object({}))
    .output(z.object({ documents: z.int(), thisMonth: z.int(), missing: z.int(), policies: z.int() })),

  /** The documents of one policy and what it still needs. NOT_FOUND as for the policy. */
  ofPolicy: read("policies.read")
    .route({ method: "GET", path: "/policies/{policyId}/documents", summary: "Documents of a policy", tags })
    .input(z.object({ policyId }))
    .output(policyDocuments),

  /** Deletes a document with its file; the reason stays on record. NOT_FOUND when it is not one of the policy. */
  remove: write("policies.write")
    .route({
      method: "POST",
      path: "/policies/{policyId}/documents/{documentId}/delete",
      summary: "Delete a document of a policy",
      tags,
    })
    .input(z.object({ policyId, documentId: z.uuid(), reason: text(1_000).min(1, "Give a reason") }))
    .output(policyDocuments),

  types: {
    /** The types that the reader may know of, by name. */
    list: read("policies.read")
      .route({ method: "GET", path: "/policies/document-types", summary: "Types of policy documents", tags })
      .input(z.object({}))
      .output(z.array(documentTypeRow)),

    /** Adds a type. NAME_TAKEN when another has the name; INVALID for a product type that there is not. */
    create: write("settings.manage")
      .route({ method: "POST", path: "/policies/document-types", summary: "Add a type of document", tags })
      .errors(taken)
      .input(documentTypeFields)
      .output(documentTypeRow),

    /** Replaces what the form holds of a type; who may read it counts for the documents that are there as well. */
    update: write("settings.manage")
      .route({ method: "PUT", path: "/policies/document-types/{id}", summary: "Edit a type of document", tags })
      .errors(taken)
      .input(documentTypeFields.extend(target))
      .output(documentTypeRow),

    /** Deletes a type of which there is no document; IN_USE otherwise. */
    remove: write("settings.manage")
      .route({ method: "DELETE", path: "/policies/document-types/{id}", summary: "Delete a type of document", tags })
      .errors({ IN_USE: { status: 409, message: "There are documents of this type." } })
      .input(z.object(target))
      .output(z.object({ id: z.uuid() })),
  },
}
