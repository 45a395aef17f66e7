export const timelineLength = 25
