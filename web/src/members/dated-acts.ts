/* Separate from `member-words.tsx`, so that the members list does not load form inputs. */

export const datedActTexts = {
  suspend: {
    title: "Suspend member",
    words: "Incidents from this day on are not covered. No premium is charged for full months of suspension.",
    on: "Suspended from",
    danger: true,
  },
  terminate: {
    title: "Terminate member",
    words: "Cover ends after this day. The day can be in the future. The record is kept.",
    on: "Last day",
    danger: true,
  },
  reinstate: {
    title: "Reinstate member",
    words: "Cover continues from this day.",
    on: "Reinstated from",
    danger: false,
  },
  changeTier: {
    title: "Change benefit tier",
    words: "The new tier applies from this day. Earlier cover stays on record.",
    on: "New tier applies from",
    danger: false,
  },
}
