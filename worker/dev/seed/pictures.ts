import { escapeHtml } from '../../lib/mail/compose.ts'

/** A picture that says of itself that it is a sample, as SVG bytes. */
export function samplePicture(title: string, line: string): Uint8Array {
  return new TextEncoder().encode(
    `<svg xmlns="http://www.w3.org/2000/svg" width="640" height="400" viewBox="0 0 640 400"><rect width="640" height="400" fill="#f7f4ee"/><path d="M40 200h560" stroke="#16324a" stroke-width="2"/><text x="40" y="160" font-family="serif" font-size="44" fill="#16324a">${escapeHtml(title)}</text><text x="40" y="250" font-family="sans-serif" font-size="24" fill="#16324a">${escapeHtml(line)}</text></svg>`,
  )
}
