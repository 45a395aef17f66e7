import { Checkbox, Group, NumberInput, Radio, Select, Stack, Switch, Textarea, TextInput } from "@mantine/core"
import { type Currency, formatMoney } from "@milkwood/domain/kernel/money"
import { boundsOf, type Setting, type SettingTexts } from "@milkwood/domain/kernel/setting"
import { declaredSettings, type SettingKey, type Settings } from "@milkwood/domain/settings/settings"
import type { ReactNode } from "react"
import { requireText } from "../ui/form.ts"
import { invalidAmountMessage, MoneyInput } from "../ui/money-input.tsx"

/** A setting's form value while typing: numbers and amounts may be empty, lists are one text. */
type DraftValue<Value> = Value extends number ? number | string | null : Value extends string[] ? Value | string : Value
export type SettingDrafts<Key extends SettingKey> = { [K in Key]: DraftValue<Settings[K]> }

const settingOf = (key: string): Setting => (declaredSettings as Record<string, Setting>)[key]!

function settingTextsOf(key: string): SettingTexts {
  const { words } = settingOf(key)
  if (!words) throw new RangeError(`the setting ${key} declares no words`)
  return words
}

const includesKey = (keys: readonly string[], key: string) => keys.includes(key)

const draftValueOf = (key: string, value: unknown): unknown =>
  settingTextsOf(key).kind === "lines" ? (value as string[]).join("\n") : value

function settingValueOf(key: string, draft: unknown): unknown {
  const { kind } = settingTextsOf(key)
  if (kind === "lines") return (draft as string).split(/[\s,;]+/).filter(Boolean)
  return kind === "number" || kind === "money" ? Number(draft) : draft
}

const mapKeys = <Key extends SettingKey, Value>(keys: readonly Key[], value: (key: Key) => Value) =>
  Object.fromEntries(keys.map((key) => [key, value(key)])) as Record<Key, Value>

/** Returns the check while typing; the command validates the rest. */
function settingValidator(key: string, currency: Currency): ((draft: unknown) => string | null) | undefined {
  const { kind, unit, required: missing } = settingTextsOf(key)
  const setting = settingOf(key)
  if (kind === "money") {
    const such = formatMoney(setting.initial as number, currency).replace(/^[^\d]+/, "")
    return requireText(invalidAmountMessage(currency, such))
  }
  if (kind === "number") {
    const { min, max } = boundsOf(setting)
    return (draft) =>
      Number.isInteger(draft) && Number(draft) >= min && Number(draft) <= max
        ? null
        : `Enter ${unit} from ${formatNumber(min)} to ${formatNumber(max)}`
  }
  if (kind === "several" && !setting.shape.safeParse([]).success)
    return (draft) => setting.shape.safeParse(draft).error?.issues[0]?.message ?? null
  return missing ? requireText(missing) : undefined
}

const formatNumber = (number: number) => String(number).replace(/\B(?=(\d{3})+$)/g, " ")

function settingValueText(key: string, value: unknown, currency: Currency): string {
  const { kind, names = {} } = settingTextsOf(key)
  if (typeof value === "boolean") return value ? "On" : "Off"
  if (kind === "money" && typeof value === "number") return formatMoney(value, currency)
  if (Array.isArray(value)) return value.map((one) => names[one] ?? one).join(", ") || "None"
  return names[String(value)] ?? (String(value ?? "") || "–")
}

/** The server names each item of a list; the form has one field for all. */
const fieldPathsOf = (key: string): string[] => [
  `settings.${key}`,
  ...(Array.isArray(settingOf(key).initial) ? Array.from({ length: 200 }, (_, at) => `settings.${key}.${at}`) : []),
]

/**
 * Props of `SettingsForm` for declared settings.
 *
 *     const keys = ["premiumReminders", "premiumReminderDay"] as const
 *     <SettingsForm {...createSettingForm(keys, currency)}>
 *       {(form) => <SettingInputs form={form} keys={keys} />}
 *     </SettingsForm>
 */
export function createSettingForm<const Key extends SettingKey>(keys: readonly Key[], currency: Currency) {
  return {
    valuesOf: (settings: Settings) => mapKeys(keys, (key) => draftValueOf(key, settings[key])) as SettingDrafts<Key>,
    into: (settings: Settings, drafts: SettingDrafts<Key>): Settings => ({
      ...settings,
      ...mapKeys(keys, (key) => settingValueOf(key, drafts[key])),
    }),
    labels: mapKeys(keys, (key) => settingTextsOf(key).label),
    rename: Object.fromEntries(keys.flatMap((key) => fieldPathsOf(key).map((path) => [path, key]))),
    validate: Object.fromEntries(
      keys.flatMap((key) => {
        const problem = settingValidator(key, currency)
        return problem ? [[key, problem]] : []
      }),
    ) as { [K in Key]?: (draft: unknown) => string | null },
    show: (field: string, value: unknown): ReactNode =>
      includesKey(keys, field) ? settingValueText(field, value, currency) : String(value ?? "") || "–",
  }
}

interface SettingForm {
  getInputProps: (name: string, options?: { type: "checkbox" }) => object
  values: object
}

export function SettingInputs({
  form,
  keys,
  special = {},
}: {
  form: SettingForm
  keys: readonly SettingKey[]
  special?: { [K in SettingKey]?: Record<string, unknown> }
}) {
  return keys.map((key) => <SettingInput key={key} form={form} name={key} special={special[key]} />)
}

function SettingInput({
  form,
  name,
  special,
}: {
  form: SettingForm
  name: SettingKey
  special: Record<string, unknown> | undefined
}) {
  const { kind, label, help, names = {}, hints, needs, placeholder } = settingTextsOf(name)
  const values = form.values as Record<string, unknown>
  const common = {
    label,
    description: help,
    placeholder,
    ...(needs && { disabled: !values[needs] }),
    ...form.getInputProps(name, kind === "switch" ? { type: "checkbox" } : undefined),
    ...special,
  }
  const options = Object.entries(names)
  switch (kind) {
    case "switch":
      return <Switch {...common} />
    case "money":
      return <MoneyInput required maw={360} {...common} />
    case "number":
      return <NumberInput required maw={360} {...boundsOf(settingOf(name))} allowDecimal={false} {...common} />
    case "line":
      return <TextInput required maw={360} {...common} />
    case "text":
      return <Textarea required autosize minRows={3} maxRows={8} {...common} />
    case "lines":
      return <Textarea autosize minRows={3} maxRows={12} spellCheck={false} {...common} />
    case "several":
      return (
        <Checkbox.Group {...common} styles={{ error: { marginTop: 6 } }}>
          <Group gap="md" my="xs">
            {options.map(([value, read]) => (
              <Checkbox key={value} value={value} label={read} />
            ))}
          </Group>
        </Checkbox.Group>
      )
    case "choice":
      return hints ? (
        <Radio.Group {...common}>
          <Stack gap="xs" my="xs">
            {options.map(([value, read]) => (
              <Radio key={value} value={value} label={read} description={hints[value]} />
            ))}
          </Stack>
        </Radio.Group>
      ) : (
        <Select
          maw={360}
          allowDeselect={false}
          data={options.map(([value, read]) => ({ value, label: read }))}
          {...common}
        />
      )
  }
}
