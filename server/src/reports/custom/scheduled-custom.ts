import { addDays, type Day } from "@milkwood/domain/kernel/calendar"
import { type CustomDefinition, daysOfRange, reduceDefinition } from "@milkwood/domain/reports/custom-report"
import { allowedCustomActions } from "@milkwood/domain/reports/custom-reports"
import { sql } from "drizzle-orm"
import { ruleActor } from "../../platform/calls/actor.ts"
import type { Cx } from "../../platform/calls/commands.ts"
import { readActiveActor } from "../../users/users.queries.ts"
import type { CustomRunInput } from "./asked-custom.ts"
import type { DayRange } from "./custom-list.ts"
import { noFieldsLeftMessage } from "./custom-reports.queries.ts"

interface ScheduledCustomReport {
  name: string
  asked: CustomRunInput
  dates: DayRange
}

/**
 * Uses the report as saved now. A report that lost a filter is not sent, because it would reveal more than intended and
 * no user checks it.
 */
export async function readScheduledCustom(
  cx: Cx,
  { customReportId, ownerId }: { customReportId: string; ownerId: string },
  on: Day,
): Promise<ScheduledCustomReport> {
  const saved = (await cx.tx.row<{
    name: string
    definition: CustomDefinition
    ownerId: string
    sharedWith: string[]
    isDeleted: boolean
    isOrphaned: boolean
  }>(sql`
    select c.name, c.definition, c.owner_id as "ownerId", c.shared_with as "sharedWith", c.deleted_at is not null as "isDeleted",
      (u.id is null or u.disabled_at is not null) as "isOrphaned"
    from custom_reports c left join users u on u.id = c.owner_id where c.id = ${customReportId}`))!
  const { definition, missingFilters } = reduceDefinition(saved.definition)
  const owner = await readActiveActor(cx.tx, ownerId, cx.now)
  const mayOpen = owner && allowedCustomActions({ ...saved, definition }, ruleActor(owner)).includes("open")
  const refused = saved.isDeleted
    ? `The custom report ${saved.name} was deleted.`
    : definition.fields.length === 0
      ? noFieldsLeftMessage
      : missingFilters.length > 0
        ? `It filters by fields that no longer exist: ${missingFilters.join(", ")}. Edit the report and save it again.`
        : owner && !mayOpen
          ? `The custom report ${saved.name} is no longer shared with you.`
          : undefined
  const dates = daysOfRange(definition, addDays(on, -1))
  return { name: saved.name, dates, asked: { ...dates, custom: definition, ...(refused && { refused }) } }
}
