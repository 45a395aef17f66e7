import { Button } from "@mantine/core"
import type { StaffListDetail } from "@milkwood/domain/staff-lists/staff-lists.contract"
import { Link } from "@tanstack/react-router"
import { errorTextOf } from "../platform/errors.ts"
import { InlineError } from "../ui/inline-error.tsx"
import { SettingsLine, SettingsList } from "../ui/line-list.tsx"
import { StaffListStatusBadge } from "./staff-list-status.tsx"
import { useStaffListCommands } from "./staff-lists.api.ts"
import classes from "./staff-lists.module.css"

const rowCountText = (count: number) => (count === 1 ? "1 row" : `${count.toLocaleString("en-ZA")} rows`)

export function SplitListPanel({ found }: { found: StaffListDetail }) {
  const { divide } = useStaffListCommands()
  const { elsewhere } = found
  const rows = elsewhere.reduce((sum, policy) => sum + policy.rows, 0)
  return (
    <section className={classes.card} aria-labelledby="elsewhere-title">
      <h2 id="elsewhere-title" className={classes.cardTitle}>
        Rows for other policies
      </h2>
      <p className={classes.words}>
        {rowCountText(rows)} of the list {rows === 1 ? "names" : "name"}{" "}
        {elsewhere.length === 1 ? "another policy" : `${elsewhere.length} other policies`}. Divide the list to create a
        separate list for each policy, with the same columns. Then import each list.
      </p>
      <SettingsList label="Policies named in the rows">
        {elsewhere.map(({ policyId, policyNumber, groupName, rows }) => (
          <SettingsLine key={policyId} what={policyNumber} words={groupName}>
            <span className="tabular">{rowCountText(rows)}</span>
          </SettingsLine>
        ))}
      </SettingsList>
      {divide.error && <InlineError>{errorTextOf(divide.error)}</InlineError>}
      <div className={classes.foot}>
        <Button
          loading={divide.isPending}
          onClick={() => divide.mutate({ importId: found.id, version: found.version })}
        >
          Divide by policy
        </Button>
      </div>
    </section>
  )
}

export function SiblingLists({ siblings }: Pick<StaffListDetail, "siblings">) {
  return (
    <section className={classes.card} aria-labelledby="siblings-title">
      <h2 id="siblings-title" className={classes.cardTitle}>
        Other lists from this file
      </h2>
      <SettingsList label="Other lists from this file">
        {siblings.map((one) => (
          <SettingsLine
            key={one.id}
            what={
              <Link to="/members/import/$importId" params={{ importId: one.id }}>
                {one.policyNumber}
              </Link>
            }
            words={`${one.groupName}, ${rowCountText(one.rowCount)}`}
          >
            <StaffListStatusBadge found={one} />
          </SettingsLine>
        ))}
      </SettingsList>
    </section>
  )
}
