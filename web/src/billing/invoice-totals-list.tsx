import { vatText } from "@milkwood/domain/benefits/vat"
import { type Discount, discountText, type InvoiceTotals, type VatPart } from "@milkwood/domain/billing/invoice-totals"
import type { Cents } from "@milkwood/domain/kernel/money"
import { Fragment } from "react"
import { MoneyText } from "../ui/money.tsx"
import classes from "./invoice.module.css"

interface InvoiceTotalsListProps {
  totals: InvoiceTotals & Omit<Discount, "discountCents">
  /** VAT per rate; by default everything has the rate of `totals`. */
  vat?: readonly VatPart[] | undefined
  /** Only for a sent invoice. */
  after?: { creditedCents: Cents; writtenOffCents: Cents; allocatedCents: Cents; openCents: Cents } | undefined
}

export function InvoiceTotalsList({ totals, vat, after }: InvoiceTotalsListProps) {
  return (
    <dl className={classes.totals}>
      <dt>Subtotal</dt>
      <dd>
        <MoneyText cents={totals.subtotalCents} />
      </dd>
      {(vat ?? [{ class: "standard" as const, percent: totals.vatPercent, vatCents: totals.vatCents }]).map((part) => (
        <Fragment key={`${part.class} ${part.percent}`}>
          <dt>VAT ({vatText(part)})</dt>
          <dd>
            <MoneyText cents={part.vatCents} />
          </dd>
        </Fragment>
      ))}
      {totals.discountCents > 0 && (
        <>
          <dt>
            {discountText(totals.discountPercent)}
            {totals.discountReason && <div className={classes.why}>{totals.discountReason}</div>}
          </dt>
          <dd>
            <MoneyText cents={-totals.discountCents} />
          </dd>
        </>
      )}
      <dt className={classes.sum}>Total Amount</dt>
      <dd className={classes.sum}>
        <MoneyText cents={totals.totalCents} />
      </dd>
      {after && after.creditedCents > 0 && (
        <>
          <dt>Credited</dt>
          <dd>
            <MoneyText cents={-after.creditedCents} />
          </dd>
        </>
      )}
      {after && after.writtenOffCents > 0 && (
        <>
          <dt>Written off</dt>
          <dd>
            <MoneyText cents={-after.writtenOffCents} />
          </dd>
        </>
      )}
      {after && (
        <>
          <dt>Paid</dt>
          <dd>
            <MoneyText cents={after.allocatedCents === 0 ? 0 : -after.allocatedCents} />
          </dd>
          <dt className={classes.sum}>Outstanding</dt>
          <dd className={classes.sum}>
            <MoneyText cents={after.openCents} />
          </dd>
        </>
      )}
    </dl>
  )
}
