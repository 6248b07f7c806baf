import sharp from 'sharp'
import { drawLogoPart, LOGO_BOX } from '../../../design/logo.ts'
import { THEME_COLOURS } from '../../../design/themeColours.ts'
import { site } from '../../../site.ts'

const INK = { light: '#0f2133', dark: '#f1ede4' }
/** Lines of the logo's own width would be too thin in a browser tab. */
const THICKNESS = 1.3

/** The icon of a browser tab: no background, in the colours of the system's theme. */
export function drawTabIcon(): string {
  return drawSquare(
    `${getColourRules('light')}@media(prefers-color-scheme:dark){${getColourRules('dark')}}`,
    placeLogo(0.94),
  )
}

/**
 * The logo on a filled square.
 *
 * @param share how much of the square's side the longer side of the logo takes, from 0 to 1
 */
export function drawIconOnPaper(share: number): string {
  const paper = `<rect width="32" height="32" fill="${THEME_COLOURS.light}"/>`
  return drawSquare(getColourRules('light'), paper + placeLogo(share))
}

function drawSquare(style: string, content: string): string {
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32"><style>${style}</style>${content}</svg>`
}

function getColourRules(theme: 'light' | 'dark'): string {
  return `.ink{color:${INK[theme]}}.accent{color:${site.accent[theme]}}`
}

function placeLogo(share: number): string {
  const side = share * 32
  const place = `x="${16 - side / 2}" y="${16 - side / 2}" width="${side}" height="${side}"`
  const parts = (['ink', 'accent'] as const).map(
    (part) => `<g class="${part}">${drawLogoPart(part, 'currentColor', THICKNESS)}</g>`,
  )
  return `<svg ${place} viewBox="${LOGO_BOX}" overflow="visible">${parts.join('')}</svg>`
}

/** Draws an SVG on 32 by 32 as a PNG of `size` pixels each way. */
export async function renderPng(svg: string, size: number): Promise<Uint8Array<ArrayBuffer>> {
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
export function encodeIco(png: Uint8Array, size: number): Uint8Array<ArrayBuffer> {
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
