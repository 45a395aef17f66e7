import { Select, Textarea, TextInput } from "@mantine/core"
import { type CauseOfDeath, causeOfDeathNames, causesOfDeath } from "@milkwood/domain/claims/claim"
import { claimFieldNames } from "@milkwood/domain/claims/claim-form"
import { DayInput } from "../../ui/day-input.tsx"
import { useDisplay } from "../../ui/display.tsx"
import classes from "../claims.module.css"
import { fieldProps, type StepProps, textFieldProps } from "./fields.tsx"

export function IncidentStep(props: StepProps) {
  const { today } = useDisplay()
  return (
    <div className={classes.fields}>
      <DayInput {...fieldProps(props, "incidentOn")} required latest={today || undefined} />
      <DayInput {...fieldProps(props, "notificationOn")} latest={today || undefined} />
      {props.values.claimType === "death" && (
        <Select
          label={claimFieldNames.causeOfDeath}
          allowDeselect={false}
          data={causesOfDeath.map((value) => ({ value, label: causeOfDeathNames[value] }))}
          value={props.values.causeOfDeath ?? "unknown"}
          error={props.errors.causeOfDeath}
          onChange={(causeOfDeath) => props.set({ causeOfDeath: causeOfDeath as CauseOfDeath })}
        />
      )}
      <Textarea
        {...textFieldProps(props, "description")}
        required
        autosize
        minRows={3}
        maxLength={5_000}
        className={classes.wide}
      />
      <TextInput {...textFieldProps(props, "diagnosis")} maxLength={2_000} className={classes.wide} />
      <TextInput {...textFieldProps(props, "hospitalName")} maxLength={200} />
      <TextInput {...textFieldProps(props, "doctorName")} maxLength={200} />
      <Textarea
        {...textFieldProps(props, "treatmentDetails")}
        autosize
        minRows={3}
        maxLength={5_000}
        className={classes.wide}
      />
    </div>
  )
}
