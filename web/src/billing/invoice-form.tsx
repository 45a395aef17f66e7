import { Button, Group, Input, SegmentedControl, Stack, Text, Textarea } from "@mantine/core"
import { standardVatPercent } from "@milkwood/domain/benefits/vat"
import type { InvoiceDetail } from "@milkwood/domain/billing/billing.contract"
import { invoiceTotals, vatParts } from "@milkwood/domain/billing/invoice-totals"
import { addDays, type Day, daysBetween } from "@milkwood/domain/kernel/calendar"
import { keepPreviousData, useQuery } from "@tanstack/react-query"
import { Link, type LinkProps } from "@tanstack/react-router"
import { type FormEvent, type ReactNode, useId, useRef, useState } from "react"
import { useKeys } from "../platform/keyboard.ts"
import { DayInput } from "../ui/day-input.tsx"
import { focusFirstError } from "../ui/form.ts"
import { InlineError } from "../ui/inline-error.tsx"
import { MoneyText } from "../ui/money.tsx"
import { useToast } from "../ui/toast.tsx"
import { focusUnreadableField } from "../ui/unreadable.ts"
import { useUnsavedGuard } from "../ui/use-unsaved-guard.tsx"
import { vatQuery } from "./billing.api.ts"
import { DiscountFields } from "./discount-fields.tsx"
import { FillFromMembers } from "./fill-from-members.tsx"
import classes from "./invoice.module.css"
import { InvoiceTotalsList } from "./invoice-totals-list.tsx"
import {
  areSameValues,
  discountOfValues,
  type InvoiceErrors,
  type InvoiceValues,
  lineAmountsOf,
  vatDaysOf,
} from "./invoice-values.ts"
import { LineItems } from "./line-items.tsx"

/** The page owns the state, so that its commands can mark fields. */
export function useInvoiceForm(start: () => InvoiceValues) {
  const [values, setValues] = useState(start)
  const [saved, setSaved] = useState(values)
  const [errors, setErrors] = useState<InvoiceErrors>({})
  return {
    values,
    errors,
    dirty: !areSameValues(values, saved),
    set(change: Partial<InvoiceValues>) {
      setValues((before) => ({ ...before, ...change }))
      setErrors((before) =>
        Object.fromEntries(Object.entries(before).filter(([name]) => !(name.split(".")[0]! in change))),
      )
    },
    changeLines(change: (lines: InvoiceValues["lines"]) => InvoiceValues["lines"]) {
      setValues((before) => ({ ...before, lines: change(before.lines) }))
      setErrors((before) => Object.fromEntries(Object.entries(before).filter(([name]) => !name.startsWith("lines"))))
    },
    reset(next: InvoiceValues) {
      setValues(next)
      setSaved(next)
      setErrors({})
    },
    /** Server paths begin with `invoice.`. */
    setErrors: (found: InvoiceErrors) =>
      setErrors(
        Object.fromEntries(Object.entries(found).map(([path, message]) => [path.replace(/^invoice\./, ""), message])),
      ),
  }
}

interface InvoiceFormProps {
  form: ReturnType<typeof useInvoiceForm>
  policy: ReactNode
  /** The edited draft; ignored when its month is filled again. */
  editing?: InvoiceDetail
  /** Returns the errors, if any. */
  onSave: () => InvoiceErrors | undefined
  saving: boolean
  /** True once the invoice is saved: leaving needs no warning. */
  done: boolean
  submit: string
  cancel: LinkProps
  notice?: ReactNode
}

export function InvoiceForm(props: InvoiceFormProps) {
  const { form, policy, editing, onSave, saving, done, submit, cancel, notice } = props
  const { values, errors, set } = form
  const toast = useToast()
  const formId = useId()
  useUnsavedGuard(form.dirty && !saving && !done)
  const submitForm = () => (document.getElementById(formId) as HTMLFormElement | null)?.requestSubmit()
  useKeys({ "mod+Enter": submitForm, "mod+s": submitForm })
  const term = useRef<number | null>(null)
  /** Keeps the payment term, even while the invoice date is temporarily unreadable. */
  const dueAfter = (invoiceOn: Day | null) => {
    if (values.invoiceOn && values.dueOn) term.current = daysBetween(values.invoiceOn, values.dueOn)
    return invoiceOn && term.current !== null ? addDays(invoiceOn, term.current) : values.dueOn
  }

  const vat = useQuery({ ...vatQuery(values.policyId, vatDaysOf(values)), placeholderData: keepPreviousData })
  const vatOn = new Map(vat.data?.rates.map(({ on, ...rate }) => [on, rate]))
  const percent = vatOn.get(values.invoiceOn ?? "")?.percent ?? standardVatPercent
  const counted = lineAmountsOf(values, vatOn)
  const discount = discountOfValues(values, invoiceTotals(counted, percent).subtotalCents)
  const totals = { ...invoiceTotals(counted, percent, discount.discountCents), ...discount }

  const save = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    if (saving || focusUnreadableField(event.currentTarget)) return
    const wrong = onSave()
    if (!wrong) return
    form.setErrors(wrong)
    focusFirstError(event.currentTarget)
    toast.error(wrong.policyId ?? wrong.lines ?? Object.values(wrong)[0]!)
  }
  const others = Object.entries(errors).filter(
    ([name]) => !fieldsWithInlineErrors.has(name) && !name.startsWith("lines"),
  )

  return (
    <form id={formId} className={classes.form} onSubmit={save} noValidate>
      {notice}
      <section className={classes.card} aria-labelledby={`${formId}-about`}>
        <h2 className={classes.cardTitle} id={`${formId}-about`}>
          Invoice details
        </h2>
        <div className={classes.fields}>
          <div className={classes.wide}>{policy}</div>
          <DayInput
            label="Invoice date"
            required
            value={values.invoiceOn}
            onChange={(invoiceOn) => set({ invoiceOn, dueOn: dueAfter(invoiceOn) })}
            error={errors.invoiceOn}
          />
          <DayInput
            label="Due date"
            required
            value={values.dueOn}
            onChange={(dueOn) => {
              term.current = null
              set({ dueOn })
            }}
            error={errors.dueOn}
          />
          <DayInput
            label="Period start"
            required
            value={values.periodStartOn}
            onChange={(periodStartOn) => set({ periodStartOn })}
            error={errors.periodStartOn}
          />
          <DayInput
            label="Period end"
            required
            value={values.periodEndOn}
            onChange={(periodEndOn) => set({ periodEndOn })}
            error={errors.periodEndOn}
          />
          <div className={classes.wide}>
            <Input.Wrapper label="Invoice for" labelElement="div">
              <div>
                <SegmentedControl
                  aria-label="Invoice for"
                  value={values.kind}
                  onChange={(kind) => set({ kind: kind === "other" ? "other" : "premium" })}
                  data={[
                    { value: "premium", label: "Premium for the period" },
                    { value: "other", label: "Other charges" },
                  ]}
                />
              </div>
            </Input.Wrapper>
          </div>
        </div>
      </section>

      <section className={classes.card} aria-labelledby={`${formId}-lines`}>
        <div className={classes.cardHead}>
          <h2 className={classes.cardTitle} id={`${formId}-lines`}>
            Line items
          </h2>
          <FillFromMembers form={form} ownId={editing?.id} />
        </div>
        {values.members && (
          <MemberLines members={values.members} onRemove={() => set({ members: null })} error={errors.memberLines} />
        )}
        <LineItems lines={values.lines} onChange={form.changeLines} errors={errors} />
        <InvoiceTotalsList totals={totals} vat={vatParts(counted, percent)} />
      </section>

      <section className={classes.card} aria-label="Discount and notes">
        <Stack gap="sm">
          <DiscountFields form={form} />
          <Textarea
            label="Notes"
            description="Printed at the foot of the invoice"
            autosize
            minRows={3}
            maxLength={2000}
            value={values.notes}
            onChange={(event) => set({ notes: event.currentTarget.value })}
            error={errors.notes}
          />
        </Stack>
      </section>

      {others.length > 0 && <InlineError>{others.map(([, message]) => message).join(" ")}</InlineError>}
      <Group justify="flex-end" gap="xs">
        <Button variant="default" renderRoot={(root) => <Link {...root} {...cancel} />}>
          Cancel
        </Button>
        <Button type="submit" loading={saving}>
          {submit}
        </Button>
      </Group>
    </form>
  )
}

function MemberLines(props: {
  members: NonNullable<InvoiceValues["members"]>
  onRemove: () => void
  error: string | undefined
}) {
  const { members, onRemove, error } = props
  return (
    <Group justify="space-between" wrap="nowrap" mb="sm">
      <div>
        <Text size="sm" role="status">
          {members.count.toLocaleString("en-ZA")} members with one line each, in total{" "}
          <MoneyText cents={members.subtotalCents} />.{" "}
          {members.source === "fill"
            ? "Their lines are added above the lines below when you save the invoice."
            : "Their lines stay unchanged, above the lines below."}
        </Text>
        {error && (
          <Text size="sm" c="red" role="alert">
            {error}
          </Text>
        )}
      </div>
      <Button variant="default" size="compact-sm" onClick={onRemove}>
        Remove
      </Button>
    </Group>
  )
}

const fieldsWithInlineErrors = new Set([
  "policyId",
  "invoiceOn",
  "dueOn",
  "periodStartOn",
  "periodEndOn",
  "discountCents",
  "discountPercent",
  "discountReason",
  "notes",
])
