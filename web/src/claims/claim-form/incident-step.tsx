import { Textarea, TextInput } from "@mantine/core"
import { DayInput } from "../../ui/day-input.tsx"
import { useDisplay } from "../../ui/display.tsx"
import classes from "../claims.module.css"
import { field, type StepProps, textField } from "./fields.tsx"

export function IncidentStep(props: StepProps) {
  const { today } = useDisplay()
  return (
    <div className={classes.fields}>
      <DayInput {...field(props, "incidentOn")} required latest={today || undefined} />
      <DayInput {...field(props, "notificationOn")} latest={today || undefined} />
      <Textarea
        {...textField(props, "description")}
        required
        autosize
        minRows={3}
        maxLength={5_000}
        className={classes.wide}
      />
      <TextInput {...textField(props, "diagnosis")} maxLength={2_000} className={classes.wide} />
      <TextInput {...textField(props, "hospitalName")} maxLength={200} />
      <TextInput {...textField(props, "doctorName")} maxLength={200} />
      <Textarea
        {...textField(props, "treatmentDetails")}
        autosize
        minRows={3}
        maxLength={5_000}
        className={classes.wide}
      />
    </div>
  )
}
