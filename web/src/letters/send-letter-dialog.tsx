import { letterKindNames } from "@milkwood/domain/letters/letter"
import type { Letter } from "@milkwood/domain/letters/letter-shape"
import { useQuery } from "@tanstack/react-query"
import { MailForm } from "../billing/mail-document-dialog.tsx"
import { api } from "../platform/api.ts"
import { useLetterCommands } from "./letters.api.ts"

export default function SendLetterDialog({ letter, onClose }: { letter: Letter; onClose: () => void }) {
  const organisation = useQuery(api.settings.display.queryOptions({})).data?.organisationName ?? ""
  const { send } = useLetterCommands()
  const { id: letterId, number, kind, mails, wording } = letter
  const isAgain = mails.length > 0
  const title = letterKindNames[kind]
  return (
    <MailForm
      title={isAgain ? `Send ${number} again` : `Send ${number}`}
      words={`The stored PDF of ${number} is attached.`}
      submit={isAgain ? "Send again" : "Send letter"}
      start={{
        to: mails[0]?.to ?? "",
        subject: wording ? `${title}: ${wording.reference}` : title,
        text: `Good day\n\nPlease find our letter attached.\n\nKind regards\n${organisation}`,
      }}
      save={(mail, idempotencyKey) => send.mutateAsync({ letterId, mail, idempotencyKey })}
      onClose={onClose}
    />
  )
}
