// Runs before the first paint so that a dark screen never flashes white. A file of its own: the content security
// policy allows no inline scripts.
;(() => {
  let chosen = null
  try {
    chosen = localStorage.getItem("milkwood-colour-scheme")
  } catch {
    // Storage can be switched off; the system's choice then stands.
  }
  const dark = chosen === "dark" || (chosen !== "light" && matchMedia("(prefers-color-scheme: dark)").matches)
  document.documentElement.setAttribute("data-mantine-color-scheme", dark ? "dark" : "light")
})()
