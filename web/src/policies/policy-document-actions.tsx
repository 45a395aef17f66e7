import type { DocumentAction } from "@milkwood/domain/policies/policy-document"
import { lazy, Suspense, useState } from "react"
import type { RowAction } from "../ui/data-table/types.ts"
import { isViewableInBrowser } from "../ui/shown-here.ts"
import { policyDocumentHref } from "./policies.api.ts"

const DocumentDialogs = lazy(() => import("./policy-document-dialogs.tsx"))

export interface DocumentHead {
  id: string
  policyId: string
  name: string
  mime: string
  allowedActions: readonly DocumentAction[]
}

export type DocumentAct = "view" | DocumentAction

export function useDocumentActions() {
  const [asked, setAsked] = useState<{ document: DocumentHead; act: DocumentAct }>()
  const actions = (document: DocumentHead): RowAction[] => {
    const open = (act: DocumentAct) => () => setAsked({ document, act })
    return [
      ...(isViewableInBrowser(document) ? [{ label: "View document", onClick: open("view") }] : []),
      { label: "Download", href: policyDocumentHref(document.policyId, document.id) },
      ...(document.allowedActions.includes("replace") ? [{ label: "Replace file", onClick: open("replace") }] : []),
      ...(document.allowedActions.includes("delete")
        ? [{ label: "Delete document", danger: true, onClick: open("delete") }]
        : []),
    ]
  }
  return {
    actions,
    dialogs: asked && (
      <Suspense>
        <DocumentDialogs {...asked} onClose={() => setAsked(undefined)} />
      </Suspense>
    ),
  }
}
