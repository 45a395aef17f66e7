import type { Room } from "@milkwood/domain/screens"
import type { ProcedureUtils } from "@orpc/tanstack-query"
import { useMutation, useQueryClient } from "@tanstack/react-query"
import type { CallContext } from "../platform/api.ts"
import { isErrorShown, refusalCodeOf } from "../platform/errors.ts"
import { refreshModule } from "../platform/live.ts"
import { toast } from "./toast.tsx"

interface CommandOptions<Input, Output> {
  /** A function reads the output; undefined shows no toast. */
  success?:
    | string
    | ((output: Output, input: Input) => string | { title?: string; message: string; undo?: () => void } | undefined)
  failure?: string
  /** Refusals without a toast, because the caller shows them; the section editor shows STALE. */
  quiet?: readonly string[]
  onSuccess?: (output: Output, input: Input) => void
  onError?: (error: unknown) => void
}

/**
 * A contract command as a mutation with toasts. Refetches the queries of its module.
 *
 *     const submit = useCommand(api.claims.submit, {
 *       success: "Claim submitted successfully for approval",
 *       failure: "Failed to submit claim",
 *     })
 *     <Button loading={submit.isPending} onClick={() => submit.mutate({ claimId })}>Submit claim</Button>
 *     {submit.error && <InlineError>{errorTextOf(submit.error)}</InlineError>}
 *
 * `mutateAsync` rejects with the typed refusal. If the form shows it (`showRefusedFields`), there is no toast.
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
      return refreshModule(queryClient, room)
    },
    onError: (error) => {
      const code = refusalCodeOf(error)
      if (code === "STALE") void refreshModule(queryClient, room)
      options.onError?.(error)
      if (code !== undefined && (code === "STALE" ? options.quiet !== undefined : options.quiet?.includes(code))) return
      // Deferred, so that the caller can show the error at a field first.
      setTimeout(() => {
        if (!isErrorShown(error)) toast.error(options.failure ?? "The action failed", error)
      })
    },
  })
}
