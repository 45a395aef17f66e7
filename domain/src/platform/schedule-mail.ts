import { commonFields, mailTemplate } from "./mail-template.ts"

export const scheduleTemplate = mailTemplate({
  label: "Scheduled report",
  when: "To each recipient of a scheduled report, with the file or with a link to it",
  fields: {
    schedule: { words: "the schedule's name", sample: "Premiums outstanding, monthly" },
    report: { words: "the report's name", sample: "Debtors ageing" },
    period: { words: "the period and filters of the report", sample: "As of 2026-11-30, all policies" },
    delivery: {
      words: "where to find the report: attached, or a link to Milkwood",
      sample: "The report is attached.",
    },
    notes: {
      words: "a note if the report is late or a test; otherwise empty",
      sample: "This report was due on 2026-11-30 and is late because the server was not running.",
    },
    organisation: commonFields.organisation,
  },
  required: ["delivery"],
  initial: {
    subject: "{schedule}",
    text: ["{report}\n{period}", "{delivery}", "{notes}", "{organisation}"].join("\n\n"),
  },
})
