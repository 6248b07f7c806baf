import sharp from 'sharp'
import { THEME_COLOURS } from '../../../design/themeColours.ts'

/** The site's mark on a square of 32: a keel under a line. */
const MARK = { line: 'M3 10h26', keel: 'M7.5 15a8.5 8.5 0 0 0 17 0' }
const INK = { light: '#0f2133', dark: '#f1ede4' }
const SEA = { light: '#006a4e', dark: '#5fcaa8' }
const STROKE = 'path{fill:none;stroke-width:3.2;stroke-linecap:round}'

/** The icon of a browser tab: no background, in the colours of the system's theme. */
export function tabIcon(): string {
  const dark = `@media(prefers-color-scheme:dark){.l{stroke:${INK.dark}}.k{stroke:${SEA.dark}}}`
  const style = `${STROKE}.l{stroke:${INK.light}}.k{stroke:${SEA.light}}${dark}`
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32"><style>${style}</style>${paths()}</svg>`
}

/**
 * The mark on a filled square.
 *
 * @param share how much of the width the mark takes, from 0 to 1
 */
export function iconOnPaper(share: number): string {
  const scale = (share * 32) / 29.2
  const shift = 16 - 16 * scale
  // The shift moves the mark up, because its centre is below the middle of its square.
  const style = `${STROKE}.l{stroke:${INK.light}}.k{stroke:${SEA.light}}`
  return [
    '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32">',
    `<style>${style}</style>`,
    `<rect width="32" height="32" fill="${THEME_COLOURS.light}"/>`,
    `<g transform="translate(${shift} ${shift - 0.75 * scale}) scale(${scale})">${paths()}</g>`,
    '</svg>',
  ].join('')
}

function paths(): string {
  return `<path class="l" d="${MARK.line}"/><path class="k" d="${MARK.keel}"/>`
}

/** Draws an SVG on 32 by 32 as a PNG of `size` pixels each way. */
export async function png(svg: string, size: number): Promise<Uint8Array<ArrayBuffer>> {
  const density = (72 * size) / 32
  const picture = sharp(Buffer.from(svg), { density }).resize(size, size).png({ palette: true, effort: 10 })
  return new Uint8Array(await picture.toBuffer())
}

const HEADER_BYTES = 6
const ENTRY_BYTES = 16

/**
 * An ICO file with one PNG, which all browsers since about 2010 support.
 * The format: https://learn.microsoft.com/en-us/previous-versions/ms997538(v=msdn.10)
 *
 * @param size the picture's width and height in pixels, less than 256
 */
export function ico(png: Uint8Array, size: number): Uint8Array<ArrayBuffer> {
  const file = new Uint8Array(HEADER_BYTES + ENTRY_BYTES + png.length)
  const view = new DataView(file.buffer)
  view.setUint16(2, 1, true) // an icon, not a cursor
  view.setUint16(4, 1, true) // one picture
  view.setUint8(6, size)
  view.setUint8(7, size)
  view.setUint16(10, 1, true) // colour planes
  view.setUint16(12, 32, true) // bits a pixel
  view.setUint32(14, png.length, true)
  view.setUint32(18, HEADER_BYTES + ENTRY_BYTES, true)
  file.set(png, HEADER_BYTES + ENTRY_BYTES)
  return file
}
