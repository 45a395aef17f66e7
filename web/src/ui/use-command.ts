import type { Room } from "@milkwood/domain/screens"
import type { ProcedureUtils } from "@orpc/tanstack-query"
import { useMutation, useQueryClient } from "@tanstack/react-query"
import type { CallContext } from "../platform/api.ts"
import { isSaid, refusalCode } from "../platform/errors.ts"
import { refreshAfter } from "../platform/live.ts"
import { toast } from "./toast.tsx"

interface CommandOptions<Input, Output> {
  /** The toast after success; a function may read the answer, undefined shows none. */
  success?:
    | string
    | ((output: Output, input: Input) => string | { title?: string; message: string; undo?: () => void } | undefined)
  /** The fixed text after failure, "Failed to submit claim"; the reason stands below it. */
  failure?: string
  /** Refusals that the caller shows itself, without a toast; STALE belongs to the section editor. */
  quiet?: readonly string[]
  onSuccess?: (output: Output, input: Input) => void
  /** Says it where it belongs: `(error) => showRefusedFields(form, error)`. */
  onError?: (error: unknown) => void
}

/**
 * A command of the contract as a mutation: its toast, and where its refusal is shown. What shows its room's records is
 * asked for anew.
 *
 *     const submit = useCommand(api.claims.submit, {
 *       success: "Claim submitted successfully for approval",
 *       failure: "Failed to submit claim",
 *     })
 *     <Button loading={submit.isPending} onClick={() => submit.mutate({ claimId })}>Submit claim</Button>
 *     {submit.error && <InlineError>{errorText(submit.error)}</InlineError>}
 *
 * `mutateAsync` rejects with the typed refusal; a form that shows it at its fields (`showRefusedFields`) is its only word.
 */
export function useCommand<Input, Output, Refusal extends Error>(
  procedure: Pick<ProcedureUtils<CallContext, Input, Output, Refusal>, "mutationOptions">,
  options: CommandOptions<Input, Output> = {},
) {
  const queryClient = useQueryClient()
  const mutation = procedure.mutationOptions()
  const [[room]] = mutation.mutationKey as [[Room, ...string[]]]
  return useMutation({
    ...mutation,
    onSuccess: (output: Output, input: Input) => {
      const success = typeof options.success === "function" ? options.success(output, input) : options.success
      if (typeof success === "string") toast.success(success)
      else if (success) toast.success(success.message, success)
      options.onSuccess?.(output, input)
      return refreshAfter(queryClient, room)
    },
    onError: (error) => {
      const code = refusalCode(error)
      if (code === "STALE") void refreshAfter(queryClient, room)
      options.onError?.(error)
      if (code !== undefined && (code === "STALE" ? options.quiet !== undefined : options.quiet?.includes(code))) return
      // Whoever waits for the answer hears of it next, and may say it at a field.
      setTimeout(() => {
        if (!isSaid(error)) toast.error(options.failure ?? "This was not done", error)
      })
    },
  })
}
