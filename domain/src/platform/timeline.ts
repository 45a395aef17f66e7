export const timelinePageSize = 25
