import { site } from '../site.ts'

/** The parts of the logo: what has the colour of text, and what has the accent. */
export type LogoPart = 'ink' | 'accent'

export const { viewBox: LOGO_BOX } = site.logo

/**
 * The shapes of one part as SVG, in the logo's own coordinates.
 *
 * @param colour any CSS colour, or `currentColor`
 * @param thickness multiplies the width of lines: small pictures need thicker ones
 */
export function drawLogoPart(part: LogoPart, colour: string, thickness = 1): string {
  return site.logo.shapes
    .filter((shape) => shape.colour === part)
    .map(({ path, line, evenOdd }) => {
      const look =
        line === undefined
          ? `fill="${colour}"${evenOdd ? ' fill-rule="evenodd"' : ''}`
          : `fill="none" stroke="${colour}" stroke-width="${Number((line * thickness).toFixed(3))}" stroke-linecap="round"`
      return `<path d="${path}" ${look}/>`
    })
    .join('')
}
