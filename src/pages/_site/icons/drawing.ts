import { THEME_COLOURS } from '../../../design/themeColours.ts'

/** The mark of the site: the keel under its line, on a square of 32. */
const MARK = { line: 'M3 10h26', keel: 'M7.5 15a8.5 8.5 0 0 0 17 0' }
const INK = { light: '#0f2133', dark: '#f1ede4' }
const SEA = { light: '#006a4e', dark: '#5fcaa8' }
const STROKE = 'path{fill:none;stroke-width:3.2;stroke-linecap:round}'

/** For a browser's tab: without a ground, in the colours that the system asks for. */
export function tabIcon(): string {
  const dark = `@media(prefers-color-scheme:dark){.l{stroke:${INK.dark}}.k{stroke:${SEA.dark}}}`
  const style = `${STROKE}.l{stroke:${INK.light}}.k{stroke:${SEA.light}}${dark}`
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32"><style>${style}</style>${paths()}</svg>`
}

/**
 * On paper to its edges, for screens of any colour.
 *
 * @param share how much of the width the mark takes, from 0 to 1
 */
export function iconOnPaper(share: number): string {
  const scale = (share * 32) / 29.2
  const shift = 16 - 16 * scale
  // The mark's own middle is a little under the square's.
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
