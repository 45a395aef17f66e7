import { letterKindNames } from "@milkwood/domain/letters/letter"
import type { Letter } from "@milkwood/domain/letters/letter-shape"
import { MailForm } from "../billing/mail-document-dialog.tsx"
import { useDisplay } from "../ui/display.tsx"
import { useLetterCommands } from "./letters.api.ts"

export default function SendLetterDialog({ letter, onClose }: { letter: Letter; onClose: () => void }) {
  const { organisationName } = useDisplay()
  const { send } = useLetterCommands()
  const { id: letterId, number, kind, mails, wording } = letter
  const isAgain = mails.length > 0
  const title = wording?.title ?? letterKindNames[kind]
  return (
    <MailForm
      title={isAgain ? `Send ${number} again` : `Send ${number}`}
      words={`The stored PDF of ${number} is attached.`}
      submit={isAgain ? "Send again" : "Send letter"}
      start={{
        to: mails[0]?.to ?? "",
        subject: wording ? `${title}: ${wording.reference}` : title,
        text: `Good day\n\nPlease find our letter attached: ${title}.\n\nKind regards\n${organisationName}`,
      }}
      save={(mail, idempotencyKey) => send.mutateAsync({ letterId, mail, idempotencyKey })}
      onClose={onClose}
    />
  )
}
