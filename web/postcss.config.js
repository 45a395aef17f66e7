import presetMantine from "postcss-preset-mantine"
import simpleVars from "postcss-simple-vars"

export default {
  plugins: [
    presetMantine(),
    simpleVars({
      variables: {
        phone: "48em", // below: cards instead of tables, the menu in a drawer
        rail: "80em", // 1280 px; below: the sidebar is a rail of icons
      },
    }),
  ],
}
