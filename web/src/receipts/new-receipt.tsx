import { lazy, Suspense, useState } from "react"
import { ReceiptForm } from "./receipt-form.tsx"
import type { ReceiptStart } from "./use-receipt-form.ts"

const DepositForm = lazy(() => import("./deposit-form.tsx"))

export function NewReceipt(start: ReceiptStart) {
  const [several, setSeveral] = useState(false)
  if (!several) return <ReceiptForm {...start} onSeveral={() => setSeveral(true)} />
  return (
    <Suspense>
      <DepositForm {...start} onOne={() => setSeveral(false)} />
    </Suspense>
  )
}
