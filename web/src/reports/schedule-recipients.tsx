import { CloseButton, Loader } from "@mantine/core"
import type { AnyReportId } from "@milkwood/domain/reports/catalogue"
import { useQuery } from "@tanstack/react-query"
import { deliveriesQuery } from "./reports.api.ts"
import classes from "./schedule-recipients.module.css"

interface ScheduleRecipientsProps {
  report: AnyReportId
  customReportId: string | null
  recipients: string[]
  onRemove: (address: string) => void
}

export function ScheduleRecipients({ report, customReportId, recipients, onRemove }: ScheduleRecipientsProps) {
  const { data } = useQuery({
    ...deliveriesQuery({ report, customReportId, recipients }),
    enabled: recipients.length > 0,
  })
  if (recipients.length === 0) return null
  return (
    <ul className={classes.recipients} aria-label="Recipients" aria-live="polite">
      {recipients.map((address) => {
        const delivery = data?.find((one) => one.address === address)
        return (
          <li key={address} data-refused={delivery?.kind === "refused" || undefined}>
            <span className={classes.words}>
              <span className={classes.address}>{address}</span>
              <span className={classes.delivery}>
                {delivery ? (
                  `${delivery.kind === "refused" ? "Cannot be sent: " : ""}${delivery.words}`
                ) : (
                  <Loader size={12} aria-label="Loading" />
                )}
              </span>
            </span>
            <CloseButton size="sm" aria-label={`Remove ${address}`} onClick={() => onRemove(address)} />
          </li>
        )
      })}
    </ul>
  )
}
