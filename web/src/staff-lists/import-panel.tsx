import { Button, Checkbox } from "@mantine/core"
import type { StaffListDetail } from "@milkwood/domain/staff-lists/staff-lists.contract"
import { useState } from "react"
import { EffectNote } from "../billing/effect-note.tsx"
import { newKey } from "../platform/api.ts"
import { errorText } from "../platform/errors.ts"
import { useKeys } from "../platform/keyboard.ts"
import { inOnePiece } from "../ui/breakable.tsx"
import { useConfirm } from "../ui/confirm.tsx"
import { DayInput } from "../ui/day-input.tsx"
import { useDisplay } from "../ui/display.tsx"
import { InlineError } from "../ui/inline-error.tsx"
import { allRefused } from "./staff-list-status.tsx"
import { refusedHref, useStaffListCommands } from "./staff-lists.api.ts"
import classes from "./staff-lists.module.css"

const members = (count: number) => (count === 1 ? "1 member" : `${count.toLocaleString("en-ZA")} members`)

const refusedRows = (count: number) =>
  count === 1 ? "1 refused row is left out" : `${count.toLocaleString("en-ZA")} refused rows are left out`

const outlook = (joiners: number, refused: number): string =>
  `${members(joiners)} will be added.${refused > 0 ? ` ${refusedRows(refused)}: download, correct and import again.` : ""}`

/** Every row was refused: most often a column stands for the wrong thing, or the list names the policy otherwise. */
const refusedWords = ({ mapping, policyNumber }: StaffListDetail): string =>
  mapping.groupPolicyChosen
    ? "Every row was refused; the reason is beside each of them. Nothing can be imported until the columns or the list are corrected."
    : `Every row was refused; the reason is beside each of them. If the reason is the group policy, change the columns and say that everybody belongs to ${policyNumber}.`

/** What is to be written of a checked list, and the button that does it; `onRemap` goes back to the columns. */
export function ImportPanel({ found, onRemap }: { found: StaffListDetail; onRemap: () => void }) {
  const { today } = useDisplay()
  const confirm = useConfirm()
  const { import: importing, check } = useStaffListCommands()
  const [key] = useState(newKey)
  const [applyChanges, setApplyChanges] = useState(true)
  const [changesOn, setChangesOn] = useState<string | null>(today)
  const [endLeavers, setEndLeavers] = useState(false)
  const [leaversOn, setLeaversOn] = useState<string | null>(today)
  const { joiner, change, leaver, error } = found.counts
  const refused = allRefused(found)
  const writes = joiner + (applyChanges ? change : 0) + (endLeavers ? leaver : 0)
  const ready =
    writes > 0 && (!endLeavers || leaversOn !== null) && (change === 0 || !applyChanges || changesOn !== null)

  const run = () =>
    importing.mutateAsync({
      importId: found.id,
      version: found.version,
      idempotencyKey: key,
      applyChanges,
      changesOn: changesOn ?? undefined,
      leaversOn: endLeavers ? leaversOn : null,
    })
  const ask = () => {
    const parts = [
      joiner > 0 && `${members(joiner)} will be added`,
      applyChanges && change > 0 && `${members(change)} changed`,
      endLeavers && leaver > 0 && `the cover of ${members(leaver)} ended on ${leaversOn}`,
      error > 0 && refusedRows(error),
    ].filter(Boolean)
    void confirm({
      title: `Import into ${found.policyNumber}?`,
      body: `${parts.join(", ")}. It can be undone while none of the members has claims or invoices.`,
      confirm: "Import members",
      danger: endLeavers && leaver > 0,
      action: run,
    })
  }
  const nothingLeft = refused && writes === 0
  const checkAgain = () => check.mutate({ importId: found.id, version: found.version, mapping: found.mapping })
  useKeys({ "mod+Enter": found.outdated ? checkAgain : nothingLeft ? onRemap : ready ? ask : undefined })

  if (found.outdated) {
    return (
      <section className={classes.card} aria-labelledby="import-title">
        <h2 id="import-title" className={classes.cardTitle}>
          {inOnePiece(`Import into ${found.policyNumber}, ${found.groupName}`)}
        </h2>
        <p className={classes.words} role="status">
          The members of {found.policyNumber} have changed since this list was checked, so what stands below may no
          longer hold. Check it again before it is imported.
        </p>
        <div className={classes.foot}>
          <Button loading={check.isPending} onClick={checkAgain}>
            Check again
          </Button>
        </div>
      </section>
    )
  }

  return (
    <section className={classes.card} aria-labelledby="import-title">
      <h2 id="import-title" className={classes.cardTitle}>
        {inOnePiece(`Import into ${found.policyNumber}, ${found.groupName}`)}
      </h2>
      <div className={classes.fields}>
        <p className={classes.words}>{refused ? refusedWords(found) : outlook(joiner, error)}</p>
        {error > 0 && (
          <Button
            variant="default"
            size="compact-sm"
            h={30}
            className={classes.atStart}
            component="a"
            href={refusedHref(found.id)}
            download
          >
            Download refused rows
          </Button>
        )}
        {change > 0 && (
          <div className={classes.choice}>
            <Checkbox
              label={`Change ${members(change)} whose details differ`}
              checked={applyChanges}
              onChange={(event) => setApplyChanges(event.currentTarget.checked)}
            />
            {applyChanges && (
              <DayInput
                label={found.mapping.salary === undefined ? "New tier applies from" : "New tier or salary applies from"}
                value={changesOn}
                onChange={setChangesOn}
              />
            )}
          </div>
        )}
        {leaver > 0 && !refused && (
          <div className={classes.choice}>
            <Checkbox
              label={`End the cover of ${members(leaver)} not in the list`}
              description={
                error > 0 ? "Look at the refused rows first: a person in one of them may be missing here." : undefined
              }
              checked={endLeavers}
              onChange={(event) => setEndLeavers(event.currentTarget.checked)}
            />
            {endLeavers && <DayInput label="Last day of cover" value={leaversOn} onChange={setLeaversOn} />}
          </div>
        )}
        {!nothingLeft && (
          <EffectNote
            change={
              ready
                ? {
                    act: "importStaffList",
                    importId: found.id,
                    applyChanges,
                    changesOn,
                    leaversOn: endLeavers ? leaversOn : null,
                  }
                : null
            }
          />
        )}
        {importing.error && <InlineError>{errorText(importing.error)}</InlineError>}
      </div>
      <div className={classes.foot}>
        <span className={classes.missing} role="status">
          {writes === 0 && !refused && "The list changes nothing: there is no row to import."}
        </span>
        {nothingLeft ? (
          <Button onClick={onRemap}>Change columns</Button>
        ) : (
          <Button disabled={!ready} loading={importing.isPending} onClick={ask}>
            Import {members(writes)}
          </Button>
        )}
      </div>
    </section>
  )
}
