interface GroupFactHead {
  record: { kind: "group"; id: string; label: string }
  groupId: string
}

export type EmployerFact =
  | ({ type: "GroupCreated" } & GroupFactHead)
  | ({ type: "GroupRenamed"; before: Record<string, unknown>; after: Record<string, unknown> } & GroupFactHead)
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
  GroupDeleted: (fact: EmployerFactOf<"GroupDeleted">) => `deleted the group ${fact.record.label}`,
}
