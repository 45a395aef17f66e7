// Runs before the first paint so that a dark screen does not flash white. A separate file, because the content security
// policy forbids inline scripts.
;(() => {
  let chosen = null
  try {
    chosen = localStorage.getItem("milkwood-colour-scheme")
  } catch {
    // Without storage the system's choice applies.
  }
  const dark = chosen === "dark" || (chosen !== "light" && matchMedia("(prefers-color-scheme: dark)").matches)
  document.documentElement.setAttribute("data-mantine-color-scheme", dark ? "dark" : "light")
})()
