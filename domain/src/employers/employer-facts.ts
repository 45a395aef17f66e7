interface OfGroup {
  record: { kind: "group"; id: string; label: string }
  groupId: string
}

export type EmployerFact =
  | ({ type: "GroupCreated" } & OfGroup)
  | ({ type: "GroupRenamed"; before: Record<string, unknown>; after: Record<string, unknown> } & OfGroup)
  | ({ type: "GroupDeleted" } & OfGroup)

export const groupFactHead = ({ id, name }: { id: string; name: string }): OfGroup => ({
  record: { kind: "group", id, label: name },
  groupId: id,
})

type Said<T extends EmployerFact["type"]> = Extract<EmployerFact, { type: T }>

export const employerSentences = {
  GroupCreated: (fact: Said<"GroupCreated">) => `created the group ${fact.record.label}`,
  GroupRenamed: (fact: Said<"GroupRenamed">) => `renamed the group ${String(fact.before.name)} to ${fact.record.label}`,
  GroupDeleted: (fact: Said<"GroupDeleted">) => `deleted the group ${fact.record.label}`,
}
