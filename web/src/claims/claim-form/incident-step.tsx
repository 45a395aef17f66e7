import { Select, Textarea, TextInput } from "@mantine/core"
import { billedClaimTypes, type CauseOfDeath, causeOfDeathNames, causesOfDeath } from "@milkwood/domain/claims/claim"
import { claimFieldNames } from "@milkwood/domain/claims/claim-form"
import { homeCountry, sortedCountries } from "@milkwood/domain/kernel/country"
import { DayInput } from "../../ui/day-input.tsx"
import { useDisplay } from "../../ui/display.tsx"
import classes from "../claims.module.css"
import { fieldProps, type StepProps, textFieldProps } from "./fields.tsx"

const countries = sortedCountries().map(({ code, name }) => ({ value: code, label: name }))

export function IncidentStep(props: StepProps) {
  const { today } = useDisplay()
  return (
    <div className={classes.fields}>
      <DayInput {...fieldProps(props, "incidentOn")} required latest={today || undefined} />
      <DayInput {...fieldProps(props, "notificationOn")} latest={today || undefined} />
      <Select
        label={claimFieldNames.incidentCountry}
        searchable
        allowDeselect={false}
        nothingFoundMessage="No countries match."
        data={countries}
        value={props.values.incidentCountry}
        error={props.errors.incidentCountry}
        onChange={(country) => props.set({ incidentCountry: country ?? homeCountry })}
      />
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
      {billedClaimTypes.includes(props.values.claimType) && (
        <TextInput {...textFieldProps(props, "billNumber")} maxLength={60} />
      )}
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
