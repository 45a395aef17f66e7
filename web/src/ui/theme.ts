import { type CSSVariablesResolver, createTheme, getDefaultZIndex, type MantineColorsTuple } from "@mantine/core"
import { finePointer } from "../platform/pointer.ts"

/** Above dialogs and popovers that open later: confirmations, the command palette. */
export const topZIndex = getDefaultZIndex("popover") + 1

/** The brand colour, only for primary actions and focus. */
const teal: MantineColorsTuple = [
  "#eaf6f5",
  "#d2ebe8",
  "#a5d6d1",
  "#73bfb8",
  "#47aaa2",
  "#2b9790",
  "#177d77",
  "#0f6b66",
  "#0b5753",
  "#083f3c",
]

const gray: MantineColorsTuple = [
  "#f7f8fa",
  "#eff1f4",
  "#e3e6eb",
  "#d3d8df",
  "#b0b8c4",
  "#8b95a4",
  "#626c7b",
  "#4a5361",
  "#333b47",
  "#1b212a",
]

const dark: MantineColorsTuple = [
  "#dde2e9",
  "#bcc4cf",
  "#98a2b0",
  "#6f7988",
  "#414a57",
  "#323a46",
  "#232932",
  "#181c23",
  "#12151b",
  "#0c0f13",
]

/** White text on it is readable in both schemes. */
const red: MantineColorsTuple = [
  "#fdecea",
  "#fbd9d5",
  "#f6b3ab",
  "#f08a7f",
  "#e2594c",
  "#d6453a",
  "#c7372c",
  "#b42318",
  "#931c13",
  "#73150e",
]

/** The design requires 120 to 180 ms, and no transition under reduced motion. */
const openTransition = { transition: "fade", duration: 140 } as const

const searchableSelectProps = {
  searchable: true,
  selectFirstOptionOnChange: true,
  selectFirstOptionOnDropdownOpen: true,
  nothingFoundMessage: "Nothing matches",
  onClick: (event: { currentTarget: { select(): void } }) => event.currentTarget.select(),
}

const fontFamily = "'Inter Variable', system-ui, -apple-system, 'Segoe UI', Roboto, sans-serif"

export const theme = createTheme({
  primaryColor: "teal",
  primaryShade: { light: 7, dark: 6 },
  colors: { teal, gray, dark, red },
  black: "#1b212a",
  fontFamily,
  fontFamilyMonospace: fontFamily,
  fontSizes: { xs: "12px", sm: "13px", md: "14px", lg: "16px", xl: "18px" },
  lineHeights: { xs: "16px", sm: "18px", md: "20px", lg: "24px", xl: "26px" },
  headings: {
    fontWeight: "600",
    sizes: {
      h1: { fontSize: "20px", lineHeight: "28px" },
      h2: { fontSize: "16px", lineHeight: "24px" },
      h3: { fontSize: "14px", lineHeight: "20px" },
      h4: { fontSize: "13px", lineHeight: "18px" },
    },
  },
  spacing: { xs: "8px", sm: "12px", md: "16px", lg: "24px", xl: "32px" },
  radius: { xs: "3px", sm: "5px", md: "6px", lg: "8px", xl: "12px" },
  defaultRadius: "md",
  shadows: {
    xs: "0 1px 2px rgb(27 33 42 / 6%)",
    sm: "0 1px 3px rgb(27 33 42 / 10%)",
    md: "0 4px 16px rgb(27 33 42 / 12%)",
    lg: "0 8px 28px rgb(27 33 42 / 16%)",
    xl: "0 16px 48px rgb(27 33 42 / 20%)",
  },
  cursorType: "pointer",
  focusRing: "auto",
  respectReducedMotion: true,
  // Components by name, because `Select.extend` would import each component into the first page.
  components: {
    Autocomplete: { defaultProps: { withScrollArea: false } },
    ActionIcon: { defaultProps: { variant: "subtle", color: "gray", size: 28 } },
    Button: { defaultProps: { size: "sm" } },
    Card: { defaultProps: { withBorder: true, padding: "md", radius: "lg" } },
    Checkbox: { defaultProps: { size: "xs" } },
    Drawer: {
      defaultProps: { transitionProps: { duration: 160 }, closeButtonProps: { "aria-label": "Close" } },
    },
    Fieldset: {
      defaultProps: { radius: "lg" },
      styles: { legend: { fontSize: 14, lineHeight: "20px", fontWeight: 600 } },
    },
    InputWrapper: {
      defaultProps: { inputWrapperOrder: ["label", "input", "description", "error"] },
      styles: { label: { marginBottom: 4 } },
    },
    Loader: { defaultProps: { size: "sm" } },
    Menu: {
      defaultProps: {
        shadow: "md",
        position: "bottom-end",
        transitionProps: openTransition,
        withInitialFocusPlaceholder: false,
      },
    },
    Modal: {
      defaultProps: {
        centered: true,
        radius: "lg",
        transitionProps: openTransition,
        closeButtonProps: { "aria-label": "Close" },
        overlayProps: { backgroundOpacity: 0.4 },
      },
      styles: {
        title: { fontSize: 16, lineHeight: "24px", fontWeight: 600 },
        header: { background: "var(--ground-raised)" },
        content: { background: "var(--ground-raised)" },
      },
    },
    MultiSelect: { defaultProps: { openOnFocus: false, withScrollArea: false } },
    NativeSelect: { defaultProps: { size: "sm" } },
    NumberInput: { defaultProps: { size: "sm" } },
    Portal: { defaultProps: { target: "#layers" } },
    PasswordInput: { defaultProps: { size: "sm" } },
    Select: {
      defaultProps: {
        size: "sm",
        checkIconPosition: "right",
        comboboxProps: { shadow: "md" },
        allowDeselect: false,
        openOnFocus: false,
        withScrollArea: false,
        ...(finePointer && searchableSelectProps),
      },
    },
    Table: { defaultProps: { verticalSpacing: 8, horizontalSpacing: 12 } },
    Tabs: { defaultProps: { keepMounted: false } },
    Textarea: { defaultProps: { size: "sm", autosize: true, minRows: 3, maxRows: 12 } },
    TextInput: { defaultProps: { size: "sm" } },
    Tooltip: { defaultProps: { openDelay: 300, transitionProps: openTransition, withArrow: false } },
  },
})

/**
 * CSS variables beside Mantine's. Tones are for statuses: `--tone-green` is the text, `--tone-green-ground` its
 * background. Every pair has a contrast of at least 4.5 in both schemes.
 */
export const cssVariables: CSSVariablesResolver = () => ({
  variables: {
    "--row-height": "36px",
    "--top-bar": "48px",
    "--sidebar": "240px",
    "--rail": "56px",
    "--mantine-color-error": "var(--tone-red)",
    "--mantine-color-red-text": "var(--tone-red)",
  },
  light: {
    "--mantine-color-dimmed": "#5c6674",
    "--mantine-color-placeholder": "#6d7786",
    "--mantine-color-default-border": "#d3d8df",
    "--mantine-color-anchor": "#0f6b66",
    "--focus": "#0f6b66",
    "--ground": "#ffffff",
    "--ground-raised": "#ffffff",
    "--ground-sunken": "#f7f8fa",
    "--ground-hover": "#f3f5f7",
    "--ground-chosen": "#eaf6f5",
    "--line": "#e3e6eb",
    "--line-strong": "#d3d8df",
    "--tone-grey": "#4a5361",
    "--tone-grey-ground": "#eff1f4",
    "--tone-blue": "#175cb5",
    "--tone-blue-ground": "#e8f1fc",
    "--tone-amber": "#8a4b00",
    "--tone-amber-ground": "#fdf2dc",
    "--tone-green": "#176b3a",
    "--tone-green-ground": "#e5f5ea",
    "--tone-violet": "#6941c6",
    "--tone-violet-ground": "#f1ecfd",
    "--tone-red": "#b42318",
    "--tone-red-ground": "#fdecea",
  },
  dark: {
    "--mantine-color-dimmed": "#98a2b0",
    "--mantine-color-placeholder": "#8b95a4",
    "--mantine-color-anchor": "#73bfb8",
    "--focus": "#47aaa2",
    "--ground": "#181c23",
    "--ground-raised": "#1e232b",
    "--ground-sunken": "#14181e",
    "--ground-hover": "#20262f",
    "--ground-chosen": "#14302f",
    "--line": "#2b323d",
    "--line-strong": "#3b4450",
    "--tone-grey": "#bcc4cf",
    "--tone-grey-ground": "#2b323d",
    "--tone-blue": "#8fbdf7",
    "--tone-blue-ground": "#172c47",
    "--tone-amber": "#f0bd6a",
    "--tone-amber-ground": "#3a2a10",
    "--tone-green": "#7fd19c",
    "--tone-green-ground": "#153323",
    "--tone-violet": "#c3aef5",
    "--tone-violet-ground": "#312453",
    "--tone-red": "#ff9c92",
    "--tone-red-ground": "#431c1a",
  },
})
