import { useQuery } from "@tanstack/react-query"
import { api } from "../platform/api.ts"
import { useSession } from "../platform/session.ts"
import { NotesPanel } from "../ui/notes.tsx"
import { useCommand } from "../ui/use-command.ts"

export function ClaimNotes({ claimId }: { claimId: string }) {
  const { can } = useSession()
  const { add, strike, completeFollowUp } = useClaimNoteCommands()
  return (
    <NotesPanel
      record="claim"
      notes={useQuery(api.claims.notes.queryOptions({ input: { claimId } }))}
      commands={{
        ...(can("notes.write") && { add: (given) => add.mutateAsync({ claimId, ...given }) }),
        strike: (given) => strike.mutateAsync({ claimId, ...given }),
        completeFollowUp: (given) => completeFollowUp.mutateAsync({ claimId, ...given }),
      }}
    />
  )
}

export const useClaimNoteCommands = () => ({
  add: useCommand(api.claims.addNote, { success: "Note saved", failure: "Failed to save the note" }),
  strike: useCommand(api.claims.strikeNote, {
    success: "Note struck out",
    failure: "Failed to strike out the note",
  }),
  completeFollowUp: useCommand(api.claims.completeFollowUp, {
    success: "Follow-up done",
    failure: "Failed to complete the follow-up",
  }),
})
