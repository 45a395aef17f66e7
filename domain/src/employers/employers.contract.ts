import { z } from "zod"
import { day } from "../kernel/calendar-shape.ts"
import { outputShapes } from "../kernel/declared-field-shape.ts"
import { listInput, listOutput } from "../kernel/list-shape.ts"
import { readProcedure, writeProcedure } from "../kernel/procedure.ts"
import { line, text } from "../kernel/text-shape.ts"
import { timelineBefore, timelinePage } from "../platform/timeline-shape.ts"
import { employerActions, employerStatuses } from "./employer.ts"
import { contactPurposes, employerContactFields } from "./employer-contact.ts"
import { employerFields } from "./employer-fields.ts"
import { employerContactValues, employerDetails } from "./employer-shape.ts"
import { employersList } from "./employers.list.ts"

export const employerErrors = {
  NAME_TAKEN: { status: 409, message: "An employer group with this name already exists." },
  WRONG_STATUS: { status: 409, message: "The employer's status does not allow this." },
  HAS_OPEN_POLICIES: { status: 409, message: "Terminate the policies of this employer first." },
  EMAIL_TAKEN: { status: 409, message: "This employer already has a contact with this e-mail address." },
} as const

const tags = ["Employers"]

const target = z.object({ groupId: z.uuid() })
const edited = target.extend({ version: z.int() })

export const employerRow = z.object({
  id: z.uuid(),
  name: z.string(),
  registrationNumber: z.string(),
  /** Policies that are neither terminated nor expired, drafts included. */
  openPolicies: z.int(),
  /** Members who are not terminated. */
  members: z.int(),
  status: z.enum(employerStatuses),
})
export type EmployerRow = z.infer<typeof employerRow>

export const employerDetail = z.object({
  id: z.uuid(),
  name: z.string(),
  ...outputShapes(employerFields, "details"),
  status: z.enum(employerStatuses),
  closedOn: day.nullable(),
  closedReason: z.string().nullable(),
  version: z.int(),
  allowedActions: z.array(z.enum(employerActions)),
})
export type EmployerDetail = z.infer<typeof employerDetail>

export const employerContact = z.object({
  id: z.uuid(),
  ...outputShapes(employerContactFields, "contact"),
  purposes: z.array(z.enum(contactPurposes)),
  version: z.int(),
})
export type EmployerContact = z.infer<typeof employerContact>

const contactList = z.array(employerContact)
const contactErrors = { EMAIL_TAKEN: employerErrors.EMAIL_TAKEN }

export const employersContract = {
  contacts: {
    /** By name. NOT_FOUND for an employer that the actor may not see. */
    list: readProcedure("policies.read")
      .route({ method: "GET", path: "/groups/{groupId}/contacts", summary: "List the contacts of an employer", tags })
      .input(target)
      .output(contactList),

    /** Answers all contacts. EMAIL_TAKEN if another contact of the employer has the address. */
    add: writeProcedure("policies.write")
      .route({ method: "POST", path: "/groups/{groupId}/contacts", summary: "Add a contact of an employer", tags })
      .errors(contactErrors)
      .input(target.extend({ values: employerContactValues }))
      .output(contactList),

    /** Answers all contacts. EMAIL_TAKEN if another contact of the employer has the address. */
    update: writeProcedure("policies.write")
      .route({
        method: "PUT",
        path: "/groups/{groupId}/contacts/{contactId}",
        summary: "Edit a contact of an employer",
        tags,
      })
      .errors(contactErrors)
      .input(edited.extend({ contactId: z.uuid(), values: employerContactValues }))
      .output(contactList),

    /** Answers the other contacts. */
    remove: writeProcedure("policies.write")
      .route({
        method: "DELETE",
        path: "/groups/{groupId}/contacts/{contactId}",
        summary: "Remove a contact of an employer",
        tags,
      })
      .input(target.extend({ contactId: z.uuid() }))
      .output(contactList),
  },

  /** Up to 50 employer groups that the actor may see, by name; closed ones are left out with `onlyOpen`. */
  groups: readProcedure("policies.read")
    .route({ method: "GET", path: "/groups/choices", summary: "Find employer groups for a selection list", tags })
    .input(z.object({ search: line(200).default(""), onlyOpen: z.boolean().default(false) }))
    .output(z.array(z.object({ id: z.uuid(), name: z.string(), policies: z.int() }))),

  /** A page of the employers that the actor may see. */
  list: readProcedure("policies.read")
    .route({ method: "GET", path: "/groups", summary: "List employers", tags })
    .input(listInput(employersList))
    .output(listOutput(employersList, employerRow)),

  /** NOT_FOUND for an employer that the actor may not see. */
  detail: readProcedure("policies.read")
    .route({ method: "GET", path: "/groups/{groupId}", summary: "Read an employer", tags })
    .input(target)
    .output(employerDetail),

  /** A page of the employer's audit trail, newest first. */
  activity: readProcedure("policies.read")
    .route({ method: "GET", path: "/groups/{groupId}/activity", summary: "Read the audit trail of an employer", tags })
    .input(target.extend(timelineBefore))
    .output(timelinePage),

  /** Creates an employer without policies. NAME_TAKEN if another employer has the name. */
  create: writeProcedure("policies.write")
    .route({ method: "POST", path: "/groups", summary: "Create an employer", tags, successStatus: 201 })
    .errors({ NAME_TAKEN: employerErrors.NAME_TAKEN })
    .input(employerDetails)
    .output(employerDetail),

  /** Saves name and details. The name changes on all policies of the employer; NAME_TAKEN if another employer has it. */
  update: writeProcedure("policies.write")
    .route({ method: "PUT", path: "/groups/{groupId}", summary: "Edit an employer", tags })
    .errors({ NAME_TAKEN: employerErrors.NAME_TAKEN })
    .input(edited.extend({ values: employerDetails }))
    .output(employerDetail),

  /** Closes an employer: it gets no new policies. HAS_OPEN_POLICIES names policies that have not ended. */
  close: writeProcedure("policies.write")
    .route({ method: "POST", path: "/groups/{groupId}/close", summary: "Close an employer", tags })
    .errors({
      WRONG_STATUS: employerErrors.WRONG_STATUS,
      HAS_OPEN_POLICIES: employerErrors.HAS_OPEN_POLICIES,
    })
    .input(edited.extend({ reason: text(500).min(1, "Enter a reason") }))
    .output(employerDetail),

  /** Reopens a closed employer. */
  reopen: writeProcedure("policies.write")
    .route({ method: "POST", path: "/groups/{groupId}/reopen", summary: "Reopen an employer", tags })
    .errors({ WRONG_STATUS: employerErrors.WRONG_STATUS })
    .input(edited)
    .output(employerDetail),
}
