import { randomUUID } from "node:crypto"
import {
  contactProblems,
  type EmployerContactValues,
  employerContactFields,
  orderPurposes,
} from "@milkwood/domain/employers/employer-contact"
import { groupFactHead } from "@milkwood/domain/employers/employer-facts"
import { type EmployerContact, employerErrors, employersContract } from "@milkwood/domain/employers/employers.contract"
import { diffFields } from "@milkwood/domain/kernel/changes"
import { and, eq, sql } from "drizzle-orm"
import { type Cx, command, invalidInput, query, refused } from "../platform/calls/commands.ts"
import { expectVersion } from "../platform/calls/version.ts"
import { namedColumnsOf } from "../platform/database/declared-fields.ts"
import { saveRecord } from "../platform/database/record.ts"
import { refuseDuplicates } from "../platform/trail/changes.ts"
import { record } from "../platform/trail/facts.ts"
import { readEmployerDetail } from "./employers.queries.ts"
import { employerContacts } from "./employers.tables.ts"
import { lockEmployer } from "./group-record.ts"

const loadContacts = ({ tx }: Pick<Cx, "tx">, groupId: string) =>
  tx.rows<EmployerContact>(sql`
    select c.id, ${namedColumnsOf(employerContactFields, "c")}, c.purposes, c.version
    from employer_contacts c where c.group_id = ${groupId} order by lower(c.name), c.id`)

export const listEmployerContacts = query(employersContract.contacts.list, async (cx) => {
  await readEmployerDetail(cx, cx.input.groupId)
  return loadContacts(cx, cx.input.groupId)
})

function checkedValues(values: EmployerContactValues): EmployerContactValues {
  const problems = Object.entries(contactProblems(values))
  if (problems.length > 0) throw invalidInput(problems.map(([path, message]) => ({ path: `values.${path}`, message })))
  return { ...values, purposes: orderPurposes(values.purposes) }
}

const refusingTakenEmail = <T>(write: () => Promise<T>) =>
  refuseDuplicates(write, "EMAIL_TAKEN", employerErrors.EMAIL_TAKEN.message)

async function findContact({ tx }: Pick<Cx, "tx">, { groupId, contactId }: { groupId: string; contactId: string }) {
  const [contact] = await tx
    .select()
    .from(employerContacts)
    .where(and(eq(employerContacts.id, contactId), eq(employerContacts.groupId, groupId)))
  if (!contact) throw refused("NOT_FOUND", "This contact does not exist.")
  return contact
}

export const addEmployerContact = command(employersContract.contacts.add, async (cx) => {
  const { groupId } = cx.input
  const values = checkedValues(cx.input.values)
  const employer = await lockEmployer(cx.tx, groupId)
  await refusingTakenEmail(() =>
    cx.tx.insert(employerContacts).values({ id: randomUUID(), groupId, ...values, createdAt: cx.now }),
  )
  await record(cx, [{ type: "GroupContactAdded", ...groupFactHead(employer), contact: values.name }])
  return loadContacts(cx, groupId)
})

export const updateEmployerContact = command(employersContract.contacts.update, async (cx) => {
  const { groupId, version } = cx.input
  const values = checkedValues(cx.input.values)
  const employer = await lockEmployer(cx.tx, groupId)
  const before = await findContact(cx, cx.input)
  expectVersion(before, version)
  const changed = diffFields<EmployerContactValues>(before, values, Object.keys(values) as (keyof typeof values)[])
  const { id } = before
  await refusingTakenEmail(() =>
    saveRecord(cx.tx, employerContacts, { id, version }, { id, ...values, version: version + 1 }),
  )
  await record(cx, [{ type: "GroupContactChanged", ...groupFactHead(employer), contact: values.name, ...changed }])
  return loadContacts(cx, groupId)
})

export const removeEmployerContact = command(employersContract.contacts.remove, async (cx) => {
  const { groupId } = cx.input
  const employer = await lockEmployer(cx.tx, groupId)
  const { id, name } = await findContact(cx, cx.input)
  await cx.tx.delete(employerContacts).where(eq(employerContacts.id, id))
  await record(cx, [{ type: "GroupContactRemoved", ...groupFactHead(employer), contact: name }])
  return loadContacts(cx, groupId)
})
