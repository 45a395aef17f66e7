import { Button, Checkbox } from "@mantine/core"
import type { StaffListDetail } from "@milkwood/domain/staff-lists/staff-lists.contract"
import { useState } from "react"
import { EffectNote } from "../billing/effect-note.tsx"
import { newKey } from "../platform/api.ts"
import { errorTextOf } from "../platform/errors.ts"
import { useKeys } from "../platform/keyboard.ts"
import { keepNumbersUnbroken } from "../ui/breakable.tsx"
import { useConfirm } from "../ui/confirm.tsx"
import { DayInput } from "../ui/day-input.tsx"
import { useDisplay } from "../ui/display.tsx"
import { InlineError } from "../ui/inline-error.tsx"
import { areAllRowsRejected } from "./staff-list-status.tsx"
import { rejectedRowsHref, useStaffListCommands } from "./staff-lists.api.ts"
import classes from "./staff-lists.module.css"

const memberCountText = (count: number) => (count === 1 ? "1 member" : `${count.toLocaleString("en-ZA")} members`)

const rejectedRowsText = (count: number) =>
  count === 1 ? "1 rejected row is left out" : `${count.toLocaleString("en-ZA")} rejected rows are left out`

const importSummaryText = (joiners: number, refused: number): string =>
  `${memberCountText(joiners)} will be added.${refused > 0 ? ` ${rejectedRowsText(refused)}: download, correct and import again.` : ""}`

/** If every row is refused, usually a column is mapped wrongly or the list has another name of the policy. */
const allRowsRejectedText = ({ mapping, policyNumber }: StaffListDetail): string =>
  mapping.groupPolicyChosen
    ? "All rows were rejected. The reason is shown in each row. Correct the columns or the list before you import."
    : `All rows were rejected. The reason is shown in each row. If the reason is the group policy, change the columns and choose “All members belong to ${policyNumber}”.`

interface ImportPanelProps {
  found: StaffListDetail
  onRemap: () => void
}

export function ImportPanel({ found, onRemap }: ImportPanelProps) {
  return (
    <section className={classes.card} aria-labelledby="import-title">
      <h2 id="import-title" className={classes.cardTitle}>
        {keepNumbersUnbroken(`Import into ${found.policyNumber}, ${found.groupName}`)}
      </h2>
      {found.outdated ? <CheckAgainNotice found={found} /> : <ImportChoices found={found} onRemap={onRemap} />}
    </section>
  )
}

function CheckAgainNotice({ found }: { found: StaffListDetail }) {
  const { check } = useStaffListCommands()
  const checkAgain = () => check.mutate({ importId: found.id, version: found.version, mapping: found.mapping })
  useKeys({ "mod+Enter": checkAgain })
  return (
    <>
      <p className={classes.words} role="status">
        The members of {found.policyNumber} have changed since this list was checked, so the results below may be out of
        date. Check the list again before you import it.
      </p>
      <div className={classes.foot}>
        <Button loading={check.isPending} onClick={checkAgain}>
          Check again
        </Button>
      </div>
    </>
  )
}

/** The user's choices besides adding the joiners. */
interface ImportOptions {
  applyChanges: boolean
  changesOn: string | null
  endLeavers: boolean
  leaversOn: string | null
}

function ImportChoices({ found, onRemap }: ImportPanelProps) {
  const { today } = useDisplay()
  const { import: importing } = useStaffListCommands()
  const [key] = useState(newKey)
  const [choices, setChoices] = useState<ImportOptions>({
    ...{ applyChanges: true, changesOn: today },
    ...{ endLeavers: false, leaversOn: today },
  })
  const { applyChanges, changesOn, endLeavers } = choices
  const leaversOn = endLeavers ? choices.leaversOn : null
  const { joiner, change, leaver, error } = found.counts
  const refused = areAllRowsRejected(found)
  const writes = joiner + (applyChanges ? change : 0) + (endLeavers ? leaver : 0)
  const nothingLeft = refused && writes === 0
  const ready =
    writes > 0 && (!endLeavers || leaversOn !== null) && (change === 0 || !applyChanges || changesOn !== null)
  const ask = useImportConfirmation(found, choices, () =>
    importing.mutateAsync({
      ...{ importId: found.id, version: found.version, idempotencyKey: key },
      ...{ applyChanges, changesOn: changesOn ?? undefined, leaversOn },
    }),
  )
  useKeys({ "mod+Enter": nothingLeft ? onRemap : ready ? ask : undefined })

  const part = { found, choices, onChange: (made: Partial<ImportOptions>) => setChoices({ ...choices, ...made }) }
  return (
    <>
      <div className={classes.fields}>
        <p className={classes.words}>{refused ? allRowsRejectedText(found) : importSummaryText(joiner, error)}</p>
        {error > 0 && <RejectedRowsLink importId={found.id} />}
        {change > 0 && <ChangesChoice {...part} />}
        {leaver > 0 && !refused && <LeaversChoice {...part} />}
        {!nothingLeft && (
          <EffectNote
            change={ready ? { act: "importStaffList", importId: found.id, applyChanges, changesOn, leaversOn } : null}
          />
        )}
        {importing.error && <InlineError>{errorTextOf(importing.error)}</InlineError>}
      </div>
      <div className={classes.foot}>
        <span className={classes.missing} role="status">
          {writes === 0 && !refused && "The list has no changes to import."}
        </span>
        {nothingLeft ? (
          <Button onClick={onRemap}>Change columns</Button>
        ) : (
          <Button disabled={!ready} loading={importing.isPending} onClick={ask}>
            Import {memberCountText(writes)}
          </Button>
        )}
      </div>
    </>
  )
}

function useImportConfirmation(found: StaffListDetail, choices: ImportOptions, run: () => Promise<unknown>) {
  const confirm = useConfirm()
  const { joiner, change, leaver, error } = found.counts
  const { applyChanges, endLeavers, leaversOn } = choices
  const parts = [
    joiner > 0 && `${memberCountText(joiner)} will be added`,
    applyChanges && change > 0 && `${memberCountText(change)} updated`,
    endLeavers && leaver > 0 && `the cover of ${memberCountText(leaver)} ended on ${leaversOn}`,
    error > 0 && rejectedRowsText(error),
  ].filter(Boolean)
  return () =>
    void confirm({
      title: `Import into ${found.policyNumber}?`,
      body: `${parts.join(", ")}. You can undo the import as long as none of the members has claims or invoices.`,
      confirm: "Import members",
      danger: endLeavers && leaver > 0,
      action: run,
    })
}

function RejectedRowsLink({ importId }: { importId: string }) {
  return (
    <Button
      variant="default"
      size="compact-sm"
      h={30}
      className={classes.atStart}
      component="a"
      href={rejectedRowsHref(importId)}
      download
    >
      Download rejected rows
    </Button>
  )
}

interface ImportOptionProps {
  found: StaffListDetail
  choices: ImportOptions
  onChange: (made: Partial<ImportOptions>) => void
}

function ChangesChoice({ found, choices: { applyChanges, changesOn }, onChange }: ImportOptionProps) {
  return (
    <div className={classes.choice}>
      <Checkbox
        label={`Update ${memberCountText(found.counts.change)} with different details`}
        checked={applyChanges}
        onChange={(event) => onChange({ applyChanges: event.currentTarget.checked })}
      />
      {applyChanges && (
        <DayInput
          label={found.mapping.salary === undefined ? "New tier applies from" : "New tier or salary applies from"}
          value={changesOn}
          onChange={(day) => onChange({ changesOn: day })}
        />
      )}
    </div>
  )
}

function LeaversChoice({ found, choices: { endLeavers, leaversOn }, onChange }: ImportOptionProps) {
  const { leaver, error } = found.counts
  return (
    <div className={classes.choice}>
      <Checkbox
        label={`End the cover of ${memberCountText(leaver)} not in the list`}
        description={
          error > 0 ? "Check the rejected rows first: their members may count as not in the list." : undefined
        }
        checked={endLeavers}
        onChange={(event) => onChange({ endLeavers: event.currentTarget.checked })}
      />
      {endLeavers && (
        <DayInput label="Last day of cover" value={leaversOn} onChange={(day) => onChange({ leaversOn: day })} />
      )}
    </div>
  )
}
