const escapeHtml = (text: string): string => text.replace(/[&<>"']/g, (sign) => `&#${sign.charCodeAt(0)};`)

const linkPattern = /https?:\/\/[^\s<>"']*[^\s<>"'.,;:!?)]/g

const linkAddresses = (text: string): string => {
  let html = ""
  let from = 0
  for (const found of text.matchAll(linkPattern)) {
    const link = escapeHtml(found[0])
    html += `${escapeHtml(text.slice(from, found.index))}<a href="${link}">${link}</a>`
    from = found.index + found[0].length
  }
  return html + escapeHtml(text.slice(from))
}

/** Converts plain text to HTML with paragraphs, lines and links; everything else is escaped. */
export function toMailHtml(text: string, organisation: string): string {
  const paragraphs = text
    .trim()
    .split(/\n{2,}/)
    .map((paragraph) => `<p style="margin:0 0 16px">${linkAddresses(paragraph).replaceAll("\n", "<br>")}</p>`)
  return `<!doctype html><html lang="en"><head><meta charset="utf-8"></head><body style="margin:0;padding:24px;font:15px/1.5 Arial,sans-serif;color:#1c2b33">
<p style="margin:0 0 20px;padding-bottom:12px;border-bottom:1px solid #cfd8dc;font-weight:bold">${escapeHtml(organisation)}</p>
${paragraphs.join("\n")}
</body></html>`
}
