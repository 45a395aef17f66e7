import { Button, Group, Kbd, Progress, TextInput } from "@mantine/core"
import { useDebouncedValue } from "@mantine/hooks"
import type { BankLineRow } from "@milkwood/domain/banking/bank-line-shape"
import type { LineCandidate } from "@milkwood/domain/banking/matching.contract"
import { useQuery } from "@tanstack/react-query"
import { createFileRoute } from "@tanstack/react-router"
import { lazy, Suspense, useRef, useState } from "react"
import { api } from "../../platform/api.ts"
import { modKey, useKeys } from "../../platform/keyboard.ts"
import { EmptyState } from "../../ui/empty-state.tsx"
import { InlineError } from "../../ui/inline-error.tsx"
import { addressParameters, textReader } from "../../ui/list-address.ts"
import { LoadFailed } from "../../ui/load-failed.tsx"
import { PageHeader } from "../../ui/page-header.tsx"
import { bankAccountsQuery, useLineCommands } from "../banking.api.ts"
import { CandidateList } from "../matching/candidate-list.tsx"
import { LineList } from "../matching/line-list.tsx"
import { MatchFoot } from "../matching/match-foot.tsx"
import classes from "../matching/matching.module.css"
import { linePartsOf, remainingCentsOf, SplitPanel, type TypedPart } from "../matching/split-panel.tsx"
import { type Matching, useMatching, useSuggestions } from "../matching/use-matching.ts"

const NotOursDialog = lazy(() => import("../not-ours-dialog.tsx"))

export const Route = createFileRoute("/_app/invoices/reconciliation/match")({
  ...addressParameters({ accountId: textReader, statementId: textReader, lineId: textReader }),
  staticData: { permission: "banking.write" },
  component: MatchPage,
})

/** Lines loaded at once; the next ones are loaded as these are matched. */
const maxLoadedLines = 100

/** Bank lines on the left, candidates on the right; fully usable by keyboard. */
function MatchPage() {
  const { accountId, statementId, lineId } = Route.useSearch()
  const of = { ...(accountId && { accountId }), ...(statementId && { statementId }) }
  const lines = useQuery(
    api.banking.lines.queryOptions({
      input: { ...of, tab: "open", pageSize: maxLoadedLines, sort: "day", dir: "asc" },
    }),
  )
  const progress = useQuery(api.banking.progress.queryOptions({ input: of })).data
  const account = useQuery(bankAccountsQuery()).data?.find(({ id }) => id === accountId)
  return (
    <div>
      <PageHeader
        title="Match bank lines"
        subtitle={account ? account.name : "All accounts"}
        back={{ to: "/invoices/reconciliation/lines", search: { accountId }, label: "Back to Bank lines" }}
      />
      {progress && (
        <div className={classes.progress}>
          <span role="status">
            {progress.placed.toLocaleString("en-ZA")} of {progress.lines.toLocaleString("en-ZA")} matched
          </span>
          <Progress
            className={classes.bar}
            value={progress.lines === 0 ? 100 : (progress.placed / progress.lines) * 100}
            aria-label="Lines matched"
          />
        </div>
      )}
      {lines.isError && !lines.data && (
        <LoadFailed
          title="Failed to load bank lines"
          error={lines.error}
          onRetry={lines.refetch}
          busy={lines.isFetching}
        />
      )}
      {lines.data && <MatchBoard rows={lines.data.rows} first={lineId} />}
    </div>
  )
}

function MatchBoard({ rows, first }: { rows: readonly BankLineRow[]; first: string | undefined }) {
  const matching = useMatching(rows, first)
  if (!matching.line) {
    return (
      <EmptyState title="Nothing to match">
        All bank lines are matched.{" "}
        {matching.canUndo && (
          <Button size="compact-sm" variant="default" onClick={matching.undo}>
            Undo last match
          </Button>
        )}
      </EmptyState>
    )
  }
  return (
    <div className={classes.board}>
      <div className={classes.column}>
        <LineList matching={matching} />
      </div>
      <Suggestions key={matching.line.id} matching={matching} line={matching.line} />
    </div>
  )
}

function Suggestions({ matching, line }: { matching: Matching; line: BankLineRow }) {
  const [sought, setSought] = useState("")
  const [search] = useDebouncedValue(sought.trim(), 200)
  const [at, setAt] = useState(0)
  const [typed, setTyped] = useState<TypedPart[]>()
  const [aside, setAside] = useState(false)
  const field = useRef<HTMLInputElement>(null)
  const { notOurs } = useLineCommands()
  const found = useSuggestions(line, search)
  const candidates = found.data?.[0]?.candidates ?? []
  const candidate = candidates[Math.min(at, candidates.length - 1)]
  const { meant, choose } = matching
  const isJoin = meant.length > 1
  const target = isJoin ? candidate?.parts.find(({ as }) => as === "policy" || as === "receipt") : undefined

  const add = (offered: LineCandidate) => {
    const before = typed ?? []
    const more = offered.parts.filter(({ as, id }) => !before.some((part) => part.as === as && part.id === id))
    const left = remainingCentsOf(before, line.amountCents)
    setTyped([
      ...before,
      ...more.map(({ as, id, label, name, allocations, amountCents }) => {
        const asked = allocations?.reduce((sum, part) => sum + part.outstandingCents, 0) || Math.abs(amountCents)
        return { as, id, label, name, cents: before.length === 0 ? Math.min(asked, left) : left }
      }),
    ])
    setSought("")
    setAt(0)
  }
  const act = () => {
    // The user pressed the key for the line that has just disappeared.
    if (matching.taken !== undefined) return matching.goOn()
    if (typed) {
      if (remainingCentsOf(typed, line.amountCents) === 0) matching.confirm(linePartsOf(typed, line.amountCents))
      else if (candidate) add(candidate)
    } else if (isJoin) {
      if (target) matching.join({ as: target.as as "policy" | "receipt", id: target.id })
    } else if (candidate?.reason) {
      const ids = [line.id]
      const why = { reason: candidate.reason, note: "" }
      matching.removeOptimistically(
        ids,
        notOurs.mutateAsync({ lineIds: ids, idempotencyKey: crypto.randomUUID(), why }),
      )
    } else if (candidate) matching.confirm(candidate.parts)
  }
  const by = (step: number) => () => {
    choose(Math.max(0, Math.min(matching.at + step, matching.shown.length - 1)))
  }
  /** Enter presses a focused button; on a list row it confirms. */
  const isButton = ({ target }: KeyboardEvent) =>
    target instanceof Element && target.closest("button:not([data-row]), a, input") !== null
  useKeys({
    ArrowDown: by(1),
    ArrowUp: by(-1),
    j: by(1),
    k: by(-1),
    ArrowRight: () => setAt(Math.min(at + 1, candidates.length - 1)),
    ArrowLeft: () => setAt(Math.max(at - 1, 0)),
    Enter: (event) => (isButton(event) ? false : act()),
    "mod+Enter": act,
    s: () => setTyped(typed ? undefined : []),
    d: () => candidate && matching.decline(candidate),
    n: () => setAside(true),
    x: () => matching.mark(line.id),
    "/": () => field.current?.focus(),
    "mod+z": () => matching.undo(),
  })
  return (
    <div className={classes.column}>
      {matching.taken !== undefined && (
        <InlineError
          mb="sm"
          tone="warning"
          action={
            <Button size="compact-sm" variant="default" onClick={matching.goOn}>
              Continue
            </Button>
          }
        >
          Someone else matched “{matching.taken}” in the meantime. This is the next line.
        </InlineError>
      )}
      {matching.refused && <InlineError mb="sm">{matching.refused}</InlineError>}
      {typed && <SplitPanel typed={typed} onChange={setTyped} onStop={() => setTyped(undefined)} />}
      <TextInput
        ref={field}
        className={classes.search}
        aria-label="Search policies, receipts and payments"
        placeholder="Search policies, receipts and payments"
        rightSection={
          <Kbd size="xs" aria-hidden className={classes.hint}>
            /
          </Kbd>
        }
        value={sought}
        maxLength={80}
        onChange={(event) => {
          setSought(event.currentTarget.value)
          setAt(0)
        }}
        onKeyDown={(event) => {
          if (event.key !== "Enter" && event.key !== "Escape") return
          if (event.key === "Escape") setSought("")
          event.preventDefault()
          event.currentTarget.blur()
        }}
      />
      {found.isError && !found.data && (
        <LoadFailed
          title="Failed to load suggestions"
          error={found.error}
          onRetry={found.refetch}
          busy={found.isFetching}
        />
      )}
      {found.data && candidates.length === 0 && (
        <EmptyState title={search ? "Nothing matches" : "No suggestion"}>
          {search
            ? "No policy, receipt or payment has this number or name."
            : "No policy, receipt or payment seems to match. Search for one, or mark the line as not a premium or claim payment."}
        </EmptyState>
      )}
      {candidates.length > 0 && <CandidateList candidates={candidates} at={at} onChoose={setAt} />}
      <MatchFoot line={line} meant={meant} typed={typed} candidate={candidate}>
        <Group gap="xs">
          <Button
            onClick={act}
            disabled={typed ? remainingCentsOf(typed, line.amountCents) !== 0 : isJoin ? !target : !candidate}
            aria-keyshortcuts="Enter"
          >
            {typed ? "Confirm split" : isJoin ? `Match ${meant.length} lines` : "Confirm"}
          </Button>
          {typed ? (
            <Button variant="default" disabled={!candidate} onClick={() => candidate && add(candidate)}>
              Add part
            </Button>
          ) : (
            <Button variant="default" onClick={() => setTyped([])} aria-keyshortcuts="s">
              Split
            </Button>
          )}
          <Button variant="default" onClick={() => setAside(true)} aria-keyshortcuts="n">
            Not a premium or claim payment
          </Button>
          {candidate && !typed && !isJoin && (
            <Button variant="subtle" onClick={() => matching.decline(candidate)} aria-keyshortcuts="d">
              Decline suggestion
            </Button>
          )}
          <Button
            variant="subtle"
            onClick={matching.undo}
            disabled={!matching.canUndo}
            title={`${modKey} Z`}
            aria-keyshortcuts="Control+Z Meta+Z"
          >
            Undo
          </Button>
        </Group>
      </MatchFoot>
      {aside && (
        <Suspense fallback={null}>
          <NotOursDialog
            lineIds={meant.map(({ id }) => id)}
            onClose={() => setAside(false)}
            onSave={(asked) =>
              matching.removeWhenSaved(
                meant.map(({ id }) => id),
                asked,
              )
            }
          />
        </Suspense>
      )}
    </div>
  )
}
