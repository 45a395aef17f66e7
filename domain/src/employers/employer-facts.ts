interface GroupFactHead {
  record: { kind: "group"; id: string; label: string }
  groupId: string
}

interface Changed {
  before: Record<string, unknown>
  after: Record<string, unknown>
}

export type EmployerFact =
  | ({ type: "GroupCreated" } & GroupFactHead)
  | ({ type: "GroupRenamed" } & Changed & GroupFactHead)
  | ({ type: "GroupDetailsSaved" } & Changed & GroupFactHead)
  | ({ type: "GroupClosed"; reason: string } & GroupFactHead)
  | ({ type: "GroupReopened" } & GroupFactHead)
  | ({ type: "GroupContactAdded"; contact: string } & GroupFactHead)
  | ({ type: "GroupContactChanged"; contact: string } & Changed & GroupFactHead)
  | ({ type: "GroupContactRemoved"; contact: string } & GroupFactHead)
  | ({ type: "GroupDeleted" } & GroupFactHead)

export const groupFactHead = ({ id, name }: { id: string; name: string }): GroupFactHead => ({
  record: { kind: "group", id, label: name },
  groupId: id,
})

type EmployerFactOf<T extends EmployerFact["type"]> = Extract<EmployerFact, { type: T }>

export const employerSentences = {
  GroupCreated: (fact: EmployerFactOf<"GroupCreated">) => `created the group ${fact.record.label}`,
  GroupRenamed: (fact: EmployerFactOf<"GroupRenamed">) =>
    `renamed the group ${String(fact.before.name)} to ${fact.record.label}`,
  GroupDetailsSaved: (fact: EmployerFactOf<"GroupDetailsSaved">) =>
    `changed the details of the group ${fact.record.label}`,
  GroupClosed: (fact: EmployerFactOf<"GroupClosed">) => `closed the group ${fact.record.label}`,
  GroupReopened: (fact: EmployerFactOf<"GroupReopened">) => `reopened the group ${fact.record.label}`,
  GroupContactAdded: (fact: EmployerFactOf<"GroupContactAdded">) => `added the contact ${fact.contact}`,
  GroupContactChanged: (fact: EmployerFactOf<"GroupContactChanged">) => `changed the contact ${fact.contact}`,
  GroupContactRemoved: (fact: EmployerFactOf<"GroupContactRemoved">) => `removed the contact ${fact.contact}`,
  GroupDeleted: (fact: EmployerFactOf<"GroupDeleted">) => `deleted the group ${fact.record.label}`,
}
