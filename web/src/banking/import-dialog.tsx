import { Button, Modal, Select, Stack } from "@mantine/core"
import type { CsvColumns } from "@milkwood/domain/banking/bank-csv"
import type { BankAccountRow } from "@milkwood/domain/banking/banking.contract"
import { keepPreviousData, useQuery } from "@tanstack/react-query"
import { useState } from "react"
import { api } from "../platform/api.ts"
import { useEscape } from "../platform/keyboard.ts"
import { DocumentUploader } from "../ui/document-uploader.tsx"
import { LoadFailed } from "../ui/load-failed.tsx"
import { useUnsavedInput } from "../ui/unsaved.ts"
import { useStatementCommands } from "./banking.api.ts"
import classes from "./banking.module.css"
import { ChooseColumns } from "./choose-columns.tsx"
import { StatementPreviewPanel } from "./statement-preview.tsx"

/** Extensions that banks use. */
const acceptedExtensions = ["csv", "txt", "ofx", "qfx", "qbo", "sta", "mt940", "940", "xml"]

interface ImportDialogProps {
  accounts: BankAccountRow[]
  accountId?: string | undefined
  onClose: () => void
}

/** Steps: account, file, columns if they are unknown, preview, import. Nothing is written before the last step. */
export default function ImportDialog({ accounts, accountId: first, onClose }: ImportDialogProps) {
  const [accountId, setAccountId] = useState(first ?? (accounts.length === 1 ? accounts[0]!.id : null))
  const [uploadId, setUploadId] = useState<string>()
  const { discard } = useStatementCommands()
  useUnsavedInput(true)
  const close = () => {
    if (uploadId) discard.mutate({ uploadId })
    onClose()
  }
  useEscape(close, true)
  return (
    <Modal opened onClose={close} size={900} title="Import Bank Statement" closeOnClickOutside={!uploadId}>
      {uploadId ? (
        <UploadedStatement
          uploadId={uploadId}
          onCancel={close}
          onDone={onClose}
          onOther={() => setUploadId(undefined)}
        />
      ) : (
        <Stack gap="sm">
          <Select
            label="Bank account"
            required
            allowDeselect={false}
            data-autofocus
            data={accounts.map(({ id, name, accountNumber }) => ({ value: id, label: `${name}, ${accountNumber}` }))}
            value={accountId}
            onChange={setAccountId}
          />
          {/* Remount per account, so that a failed file is not retried for another account. */}
          <DocumentUploader<{ uploadId: string }>
            key={accountId}
            label="Choose a statement"
            url="/api/bank-statements"
            accept={acceptedExtensions}
            maxMegabytes={20}
            fields={() => ({ accountId: accountId ?? "" })}
            disabled={accountId ? undefined : "Choose the bank account first."}
            onUploaded={(answer) => setUploadId(answer.uploadId)}
          />
          <p className={classes.words}>
            CSV from FNB, Absa, Nedbank, Standard Bank, Capitec, Bank Zero and ING; any other CSV after you choose its
            columns; OFX, MT940 and camt.053. Lines that are already imported are not added again.
          </p>
        </Stack>
      )}
    </Modal>
  )
}

interface UploadedStatementProps {
  uploadId: string
  onCancel: () => void
  onOther: () => void
  onDone: () => void
}

function UploadedStatement({ uploadId, onCancel, onOther, onDone }: UploadedStatementProps) {
  const [columns, setColumns] = useState<CsvColumns | null>(null)
  const [choosing, setChoosing] = useState(false)
  const preview = useQuery({
    ...api.banking.preview.queryOptions({ input: { uploadId, columns } }),
    placeholderData: keepPreviousData,
    gcTime: 0,
  })
  if (preview.isError) {
    return (
      <>
        <LoadFailed
          title="The file cannot be previewed"
          error={preview.error}
          onRetry={preview.refetch}
          busy={preview.isFetching}
        />
        {columns && (
          <Button variant="default" mt="sm" onClick={() => setColumns(null)}>
            Choose the columns again
          </Button>
        )}
      </>
    )
  }
  const found = preview.data
  if (!found) return <p className={classes.words}>Reading the statement...</p>
  if (found.table && (choosing || !found.statement)) {
    return (
      <ChooseColumns
        fileName={found.fileName}
        table={found.table}
        onCancel={found.statement ? () => setChoosing(false) : onCancel}
        onChosen={(chosen) => {
          setColumns(chosen)
          setChoosing(false)
        }}
      />
    )
  }
  return (
    <StatementPreviewPanel
      found={found}
      statement={found.statement!}
      columns={columns}
      onColumns={found.table ? () => setChoosing(true) : undefined}
      onCancel={onCancel}
      onOther={onOther}
      onDone={onDone}
    />
  )
}
