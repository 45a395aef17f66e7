import type { BankLineRow } from "@milkwood/domain/banking/bank-line-shape"
import { partInputs } from "@milkwood/domain/banking/matching"
import type { LineCandidate, LinePart } from "@milkwood/domain/banking/matching.contract"
import { useQuery, useQueryClient } from "@tanstack/react-query"
import { useCallback, useEffect, useMemo, useRef, useState } from "react"
import { api, newKey } from "../../platform/api.ts"
import { errorTextOf } from "../../platform/errors.ts"
import { useCommand } from "../../ui/use-command.ts"

const suggestionsQuery = (lineId: string, search = "") =>
  api.banking.suggestions.queryOptions({ input: { lineIds: [lineId], search } })

const prefetchedLines = 8

/**
 * Lines leave the list at once and reappear with the reason if the server refuses. `taken`: another user matched the
 * chosen line; actions are ignored until the user has dismissed this message.
 */
export function useMatching(lines: readonly BankLineRow[], first: string | undefined) {
  const [chosen, setChosen] = useState(first)
  const [gone, setGone] = useState<ReadonlySet<string>>(new Set())
  const [marked, setMarked] = useState<ReadonlySet<string>>(new Set())
  const [refused, setRefused] = useState<ReadonlyMap<string, string>>(new Map())
  const [taken, setTaken] = useState<string>()
  const own = useRef(new Set<string>())
  const acts = useRef<{ ids: readonly string[]; asked: Promise<unknown> }[]>([])
  const place = useRef(0)
  const shown = useMemo(() => lines.filter(({ id }) => !gone.has(id)), [lines, gone])
  const found = shown.findIndex(({ id }) => id === chosen)
  const at = found >= 0 ? found : Math.max(0, Math.min(place.current, shown.length - 1))
  place.current = at
  const line = shown[at]
  usePrefetched(shown.slice(at, at + prefetchedLines))

  const options = { failure: "Failed to match the line" }
  const confirm = useCommand(api.banking.confirm, options)
  const join = useCommand(api.banking.join, { failure: "Failed to match the lines" })
  const undo = useCommand(api.banking.undo, { success: "Match undone", failure: "Failed to undo the match" })
  const decline = useCommand(api.banking.decline, { failure: "Failed to decline the suggestion" })

  const stood = useRef(line)
  useEffect(() => {
    const was = stood.current
    stood.current = line
    const isGone = was && was.id !== line?.id && !lines.some(({ id }) => id === was.id)
    if (isGone && !own.current.has(was.id)) setTaken(was.text || was.reference)
  }, [line, lines])

  const choose = useCallback(
    (index: number) => {
      setTaken(undefined)
      setChosen(shown[index]?.id)
    },
    [shown],
  )
  const marks = shown.filter(({ id }) => marked.has(id))
  const meant = marks.length > 1 ? marks : line ? [line] : []

  /** Undo takes the acts back in the order in which the user began them, however late the server answers. */
  const beginAct = (ids: readonly string[], asked: Promise<unknown>) => {
    for (const id of ids) own.current.add(id)
    const act = { ids, asked }
    acts.current.push(act)
    asked.catch(() => {
      acts.current = acts.current.filter((one) => one !== act)
      for (const id of ids) own.current.delete(id)
    })
  }
  const remove = (ids: readonly string[]) => {
    const next =
      shown.slice(at + 1).find(({ id }) => !ids.includes(id)) ?? shown.findLast(({ id }) => !ids.includes(id))
    setChosen((current) => (current === undefined || ids.includes(current) ? next?.id : current))
    setGone((before) => new Set([...before, ...ids]))
    setMarked(new Set())
    setRefused((before) => new Map([...before].filter(([id]) => !ids.includes(id))))
  }
  /** Restores the lines if the server refuses. */
  const removeOptimistically = (ids: readonly string[], asked: Promise<unknown>) => {
    beginAct(ids, asked)
    remove(ids)
    asked.catch((error: unknown) => {
      setGone((before) => new Set([...before].filter((id) => !ids.includes(id))))
      setRefused((before) => new Map([...before, ...ids.map((id) => [id, errorTextOf(error)] as const)]))
    })
  }
  const removeWhenSaved = (ids: readonly string[], asked: Promise<unknown>) => {
    beginAct(ids, asked)
    asked.then(
      () => remove(ids),
      // The dialog shows the refusal.
      () => {},
    )
  }
  const takeBack = async () => {
    const act = acts.current.pop()
    const done = await act?.asked.then(
      () => true,
      () => false,
    )
    if (!act || !done) return
    const lineIds = [...act.ids]
    await undo.mutateAsync({ lineIds, idempotencyKey: newKey() }).then(
      () => {
        for (const id of lineIds) own.current.delete(id)
        setGone((before) => new Set([...before].filter((id) => !lineIds.includes(id))))
        setChosen(lineIds[0])
      },
      () => acts.current.push(act),
    )
  }

  return {
    shown,
    at,
    line,
    marked,
    meant,
    refused: line && refused.get(line.id),
    /** The text of the line that another user matched. */
    taken,
    goOn: () => setTaken(undefined),
    isBusy: confirm.isPending || join.isPending || undo.isPending,
    canUndo: acts.current.length > 0,
    choose,
    mark: (id: string) =>
      setMarked((before) => {
        const after = new Set(before)
        if (!after.delete(id)) after.add(id)
        return after
      }),
    confirm: (parts: readonly LinePart[]) => {
      if (!line) return
      const asked = confirm.mutateAsync({ lineId: line.id, parts: partInputs(parts), idempotencyKey: newKey() })
      removeOptimistically([line.id], asked)
    },
    join: (to: { as: "policy" | "receipt"; id: string }) => {
      const lineIds = meant.map(({ id }) => id)
      removeOptimistically(
        lineIds,
        join.mutateAsync({ lineIds, to: { ...to, allocations: null }, idempotencyKey: newKey() }),
      )
    },
    removeOptimistically,
    removeWhenSaved,
    decline: (candidate: LineCandidate) => {
      if (line) decline.mutate({ lineId: line.id, key: candidate.key, idempotencyKey: newKey() })
    },
    undo: () => void takeBack(),
  }
}

export type Matching = ReturnType<typeof useMatching>

export const useSuggestions = (line: BankLineRow | undefined, search: string) =>
  useQuery({
    ...suggestionsQuery(line?.id ?? "", search),
    enabled: line !== undefined,
    placeholderData: (before) => (before?.[0]?.lineId === line?.id ? before : undefined),
  })

/** Fetches suggestions for the next lines in one call. */
function usePrefetched(next: readonly BankLineRow[]): void {
  const queryClient = useQueryClient()
  const ids = next.map(({ id }) => id).join()
  useEffect(() => {
    const lineIds = ids
      .split(",")
      .filter((id) => id !== "" && queryClient.getQueryState(suggestionsQuery(id).queryKey) === undefined)
    if (lineIds.length < prefetchedLines / 2) return
    const asked = api.banking.suggestions.queryOptions({ input: { lineIds, search: "" } })
    queryClient.fetchQuery(asked).then(
      (found) => {
        for (const one of found) queryClient.setQueryData(suggestionsQuery(one.lineId).queryKey, [one])
      },
      // Ignore errors: the request is repeated, and reported, when the line is chosen.
      () => {},
    )
  }, [ids, queryClient])
}
