import { Modal, Select, Stack } from "@mantine/core"
import { formatMonth } from "@milkwood/domain/kernel/calendar"
import { formatMoney } from "@milkwood/domain/kernel/money"
import { listEndings } from "@milkwood/domain/platform/documents"
import { useQuery } from "@tanstack/react-query"
import { useNavigate } from "@tanstack/react-router"
import { useState } from "react"
import { api } from "../platform/api.ts"
import { useEscape } from "../platform/keyboard.ts"
import { PolicySelect } from "../policies/policy-select.tsx"
import { useAllowedFiles, useDisplay } from "../ui/display.tsx"
import { DocumentUploader } from "../ui/document-uploader.tsx"
import classes from "./reconciliation.module.css"

interface RemittanceDialogProps {
  invoiceId?: string | undefined
  onClose: () => void
}

export default function RemittanceDialog({ invoiceId: first, onClose }: RemittanceDialogProps) {
  const { currency } = useDisplay()
  const navigate = useNavigate()
  const [policyId, setPolicyId] = useState<string | null>(null)
  const [invoiceId, setInvoiceId] = useState<string | null>(first ?? null)
  const chosen = useQuery({
    ...api.billing.detail.queryOptions({ input: { invoiceId: first! } }),
    enabled: first !== undefined,
  })
  const invoices = useQuery({
    ...api.billing.list.queryOptions({
      input: { policyId: policyId!, pageSize: 50, sort: "invoiceOn", dir: "desc" },
    }),
    enabled: policyId !== null,
  })
  const sent = invoices.data?.rows.filter(({ status }) => !["draft", "pending", "cancelled"].includes(status)) ?? []
  useEscape(onClose, true)
  return (
    <Modal opened onClose={onClose} size={620} title="Compare a remittance list with its invoice">
      <Stack gap="sm">
        {first === undefined ? (
          <>
            <PolicySelect
              label="Policy"
              required
              clearable
              data-autofocus
              value={policyId}
              onChange={(id) => {
                setPolicyId(id)
                setInvoiceId(null)
              }}
            />
            <Select
              label="Invoice"
              required
              searchable
              disabled={policyId === null}
              nothingFoundMessage="This policy has no sent invoices"
              data={sent.map(({ id, number, periodStartOn, totalCents }) => ({
                value: id,
                label: `${number}, ${formatMonth(periodStartOn)}, ${formatMoney(totalCents, currency)}`,
              }))}
              value={invoiceId}
              onChange={setInvoiceId}
            />
          </>
        ) : (
          <p className={classes.words}>
            {chosen.data &&
              `${chosen.data.number}, ${chosen.data.groupName}, ${formatMonth(chosen.data.periodStartOn)}, ${formatMoney(chosen.data.totalCents, currency)}`}
          </p>
        )}
        {/* A new `key` per invoice: a failed file must not be retried for another invoice. */}
        <DocumentUploader<{ remittanceId: string }>
          key={invoiceId}
          label="Choose the employer's list"
          url="/api/remittances"
          accept={listEndings(useAllowedFiles().types)}
          fields={() => ({ invoiceId: invoiceId ?? "" })}
          disabled={invoiceId ? undefined : "Choose the invoice first."}
          onUploaded={({ remittanceId }) => {
            // Ignores the unsaved guard: the uploader does not know yet that the upload is complete.
            void navigate({
              to: "/invoices/reconciliation/remittances/$remittanceId",
              params: { remittanceId },
              ignoreBlocker: true,
            })
          }}
        />
        <p className={classes.words}>
          CSV or Excel with the paid members (member number, ID number or name) and the amount of each. Nothing is
          posted.
        </p>
      </Stack>
    </Modal>
  )
}
