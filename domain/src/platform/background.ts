/** Marks requests that no user triggered, such as polling; its value is 1. */
export const backgroundHeader = "x-milkwood-background"
