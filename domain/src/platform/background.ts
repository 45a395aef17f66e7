/** Requests that nobody asked for carry this header with the value 1. */
export const backgroundHeader = "x-milkwood-background"
