import { useQuery } from "@tanstack/react-query"
import { api } from "../platform/api.ts"
import { useSession } from "../platform/session.ts"
import { NotesPanel } from "../ui/notes.tsx"
import { useCommand } from "../ui/use-command.ts"

export function MemberNotes({ memberId }: { memberId: string }) {
  const { can } = useSession()
  const { add, strike, completeFollowUp } = useMemberNoteCommands()
  return (
    <NotesPanel
      record="member"
      notes={useQuery(api.members.notes.queryOptions({ input: { memberId } }))}
      commands={{
        ...(can("notes.write") && { add: (given) => add.mutateAsync({ memberId, ...given }) }),
        strike: (given) => strike.mutateAsync({ memberId, ...given }),
        completeFollowUp: (given) => completeFollowUp.mutateAsync({ memberId, ...given }),
      }}
    />
  )
}

export const useMemberNoteCommands = () => ({
  add: useCommand(api.members.addNote, { success: "Note saved", failure: "Failed to save the note" }),
  strike: useCommand(api.members.strikeNote, {
    success: "Note struck out",
    failure: "Failed to strike out the note",
  }),
  completeFollowUp: useCommand(api.members.completeFollowUp, {
    success: "Follow-up done",
    failure: "Failed to complete the follow-up",
  }),
})
