import type { CreditNoteAction } from "@milkwood/domain/billing/credit-note"
import type { ListedCreditNote } from "@milkwood/domain/billing/credit-note-shape"
import { lazy, Suspense, useState } from "react"
import type { RowAction } from "../ui/data-table/types.ts"
import { creditNotePdfHref } from "./billing.api.ts"

const MailDocumentDialog = lazy(() => import("./mail-document-dialog.tsx"))

/** Shared by the list and the page. */
export function useCreditNoteActions() {
  const [mailing, setMailing] = useState<ListedCreditNote>()
  const of = (note: ListedCreditNote): Record<CreditNoteAction, RowAction> => ({
    mail: { label: "Send credit note", onClick: () => setMailing(note) },
    download: { label: "Download PDF", href: creditNotePdfHref(note.id) },
  })
  return {
    of,
    dialog: mailing && (
      <Suspense>
        <MailDocumentDialog
          document={{ kind: "credit_note", id: mailing.id, number: mailing.number }}
          onClose={() => setMailing(undefined)}
        />
      </Suspense>
    ),
  }
}
