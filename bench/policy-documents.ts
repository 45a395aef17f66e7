import { sql } from "drizzle-orm"
import { Database } from "../server/src/platform/database/database.ts"
import { compareWithStatement } from "./beside.ts"
import { openBook, type Reader, readers } from "./book.ts"
import type { Bench, Measured } from "./measure.ts"
import { signIn, startServer } from "./server.ts"

const rounds = 12

/**
 * The list of 200,000 policy documents over HTTP (filters, sorts, search, last pages, figures), for the insurer and an
 * employer with 20,000. The reference is one hand-written page and count. `--small` uses a tenth.
 */
export const policyDocuments: Bench = {
  name: "policy-documents",
  async run(say, flags) {
    const isSmall = flags.has("small")
    const book = await openBook(say, isSmall ? "documents-small" : "documents", { anew: flags.has("anew") })
    const database = new Database(book.url, { maxConnections: 2 })
    const server = await startServer(book, "product")
    try {
      const owner = database.direct("owner")
      const { groupId, policyId, typeId, documents } = (await owner.row<Record<string, string>>(sql`
        select group_id as "groupId", policy_id as "policyId", document_type as "typeId",
          (select count(*) from policy_documents) as documents
        from policy_documents order by id limit 1`))!
      const today = Temporal.Now.plainDateISO("UTC")
      const ago = (days: number) => today.subtract({ days }).toString()
      const list = "policies.documents.list"
      const calls: [what: string, procedure: string, input: object, reader?: Reader][] = [
        ["as it is opened", list, {}],
        ["filtered by date, a week", list, { uploadedFrom: ago(7), uploadedTo: ago(0) }],
        ["filtered by date, a year", list, { uploadedFrom: ago(365), uploadedTo: ago(0) }],
        ["filtered by type", list, { documentTypeId: typeId }],
        ["filtered by type and date", list, { documentTypeId: typeId, uploadedFrom: ago(365) }],
        ["filtered by employer", list, { groupId }],
        ["filtered by policy", list, { policyId }],
        ["sorted by name", list, { sort: "name", dir: "asc" }],
        ["sorted by name, of a type", list, { sort: "name", dir: "asc", documentTypeId: typeId }],
        ["page 400", list, { page: 400 }],
        ["searched by a rare name", list, { search: "final 19999" }],
        ["searched by a common name", list, { search: "form" }],
        ["searched by group", list, { search: "baobab min" }],
        ["searched by policy number", list, { search: "-000123" }],
        ["figures above it", "policies.documents.summary", {}],
        ["what is missing", "policies.documents.required", {}],
        ["what is missing, searched", "policies.documents.required", { search: "karoo" }],
        ["of an employer", list, {}, "groupAdmin"],
        ["of an employer, filtered by date", list, { uploadedFrom: ago(365) }, "groupAdmin"],
        ["of an employer, sorted by name", list, { sort: "name", dir: "asc" }, "groupAdmin"],
        ["of an employer, searched", list, { search: "form" }, "groupAdmin"],
        ["of its signatory", list, {}, "policyHolder"],
      ]
      say(`${documents} documents`)
      const measured: Measured[] = []
      const people = new Map<Reader, Awaited<ReturnType<typeof signIn>>>()
      for (const [what, procedure, input, reader = "manager"] of calls) {
        const person = people.get(reader) ?? (await signIn(server.url, readers[reader]))
        people.set(reader, person)
        measured.push(
          await compareWithStatement({
            what: `policy documents, ${what}`,
            rounds,
            call: () => person.call(procedure, input),
            bare: () =>
              owner.rows(sql`
                select d.id, d.name, t.name, p.number, g.name, f.size, (select count(*) from policy_documents) as total
                from (select * from policy_documents order by uploaded_at desc, id desc limit 25) d
                join policy_document_types t on t.id = d.document_type join policies p on p.id = d.policy_id
                join employer_groups g on g.id = d.group_id join files f on f.id = d.file_id`),
            against: "the newest page and the total count in one statement",
            pids: [server.pid, book.postmaster()],
          }),
        )
      }
      return measured
    } finally {
      await server.stop()
      await database.close()
      await book.close()
    }
  },
}
