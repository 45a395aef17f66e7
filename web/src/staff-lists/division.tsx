import { Button } from "@mantine/core"
import type { StaffListDetail } from "@milkwood/domain/staff-lists/staff-lists.contract"
import { Link } from "@tanstack/react-router"
import { errorText } from "../platform/errors.ts"
import { InlineError } from "../ui/inline-error.tsx"
import { Line, LineList } from "../ui/line-list.tsx"
import { StaffListStatusBadge } from "./staff-list-status.tsx"
import { useStaffListCommands } from "./staff-lists.api.ts"
import classes from "./staff-lists.module.css"

const rowsOf = (count: number) => (count === 1 ? "1 row" : `${count.toLocaleString("en-ZA")} rows`)

export function DivideList({ found }: { found: StaffListDetail }) {
  const { divide } = useStaffListCommands()
  const { elsewhere } = found
  const rows = elsewhere.reduce((sum, policy) => sum + policy.rows, 0)
  return (
    <section className={classes.card} aria-labelledby="elsewhere-title">
      <h2 id="elsewhere-title" className={classes.cardTitle}>
        Rows for other policies
      </h2>
      <p className={classes.words}>
        {rowsOf(rows)} of the list {rows === 1 ? "names" : "name"}{" "}
        {elsewhere.length === 1 ? "another policy" : `${elsewhere.length} other policies`}. Divide the list to create a
        separate list for each policy, with the same columns. Then import each list.
      </p>
      <LineList label="Policies named in the rows">
        {elsewhere.map(({ policyId, policyNumber, groupName, rows }) => (
          <Line key={policyId} what={policyNumber} words={groupName}>
            <span className="tabular">{rowsOf(rows)}</span>
          </Line>
        ))}
      </LineList>
      {divide.error && <InlineError>{errorText(divide.error)}</InlineError>}
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

export function Siblings({ siblings }: Pick<StaffListDetail, "siblings">) {
  return (
    <section className={classes.card} aria-labelledby="siblings-title">
      <h2 id="siblings-title" className={classes.cardTitle}>
        Other lists from this file
      </h2>
      <LineList label="Other lists from this file">
        {siblings.map((one) => (
          <Line
            key={one.id}
            what={
              <Link to="/members/import/$importId" params={{ importId: one.id }}>
                {one.policyNumber}
              </Link>
            }
            words={`${one.groupName}, ${rowsOf(one.rowCount)}`}
          >
            <StaffListStatusBadge found={one} />
          </Line>
        ))}
      </LineList>
    </section>
  )
}
