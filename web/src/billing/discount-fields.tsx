import { Group, Input, NumberInput, SegmentedControl, TextInput } from "@mantine/core"
import { useDisplay } from "../ui/display.tsx"
import { MoneyInput } from "../ui/money-input.tsx"
import type { useInvoiceForm } from "./invoice-form.tsx"

export function DiscountFields({ form }: { form: ReturnType<typeof useInvoiceForm> }) {
  const { currency } = useDisplay()
  const { values, errors, set } = form
  const inPercent = values.discountIn === "percent"
  const hasDiscount = inPercent || values.discountCents !== 0 || errors.discountReason !== undefined
  return (
    <>
      <Group align="flex-start" gap="sm">
        {inPercent ? (
          <NumberInput
            label="Discount"
            description="As a percentage of the subtotal"
            inputWrapperOrder={["label", "input", "description", "error"]}
            w={200}
            min={0}
            max={100}
            decimalScale={2}
            decimalSeparator=","
            value={values.discountPercent}
            onChange={(discountPercent) => set({ discountPercent })}
            error={errors.discountPercent}
          />
        ) : (
          <MoneyInput
            label="Discount"
            w={200}
            value={values.discountCents}
            onChange={(discountCents) => set({ discountCents })}
            error={errors.discountCents}
          />
        )}
        <Input.Wrapper label="Unit" labelElement="div">
          <div>
            <SegmentedControl
              aria-label="Discount unit"
              value={values.discountIn}
              onChange={(chosen) => set({ discountIn: chosen === "percent" ? "percent" : "cents" })}
              data={[
                { value: "cents", label: currency === "ZAR" ? "Rand" : currency },
                { value: "percent", label: "Per cent" },
              ]}
            />
          </div>
        </Input.Wrapper>
      </Group>
      {hasDiscount && (
        <TextInput
          label="Reason for the discount"
          description="Printed on the invoice"
          required
          maxLength={200}
          value={values.discountReason}
          onChange={(event) => set({ discountReason: event.currentTarget.value })}
          error={errors.discountReason}
        />
      )}
    </>
  )
}
