import { paymentFileFormatNames, withdrawalNames } from "@milkwood/domain/payouts/batch"
import type { PaymentFileRow } from "@milkwood/domain/payouts/batches.contract"
import { DayText, InstantText } from "../ui/day.tsx"
import { MoneyText } from "../ui/money.tsx"
import { FactList } from "../ui/record-page.tsx"
import { StatusBadge } from "../ui/status-badge.tsx"
import classes from "./payouts.module.css"

const fileStateOf = ({ withdrawn, exportedAt }: PaymentFileRow) =>
  withdrawn ? "discarded" : exportedAt ? "sent" : "ready"

const stateNames = { discarded: "Withdrawn", sent: "Exported", ready: "Not exported yet" }

export function BatchFiles({ files }: { files: readonly PaymentFileRow[] }) {
  return files.map((file) => (
    <section key={file.id} className={classes.file} aria-label={file.messageId}>
      <p className={classes.fileHead}>
        <strong>{file.messageId}</strong>
        <StatusBadge status={fileStateOf(file)} label={stateNames[fileStateOf(file)]} />
      </p>
      <FactList
        rows={[
          ["Format", paymentFileFormatNames[file.format]],
          ["Payments", file.paymentCount.toLocaleString("en-ZA")],
          ["Control total", <MoneyText key="sum" cents={file.controlSumCents} />],
          ["Execution day", <DayText key="day" day={file.executionOn} />],
          [
            "SHA-256",
            <code key="hash" className={classes.hash}>
              {file.sha256}
            </code>,
          ],
          ["Created", <InstantText key="made" at={file.madeAt} />],
          ["Exported by", file.exportedByName],
          ["Exported", file.exportedAt && <InstantText key="exported" at={file.exportedAt} />],
          ["Withdrawal", file.withdrawn && withdrawalNames[file.withdrawn]],
          ["Reason", file.withdrawnReason],
        ]}
      />
    </section>
  ))
}
