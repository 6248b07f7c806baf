import { readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import satori from 'satori'
import sharp from 'sharp'
import { THEME_COLOURS } from '../../src/design/themeColours.ts'

const WIDTH = 1200
const HEIGHT = 630
const MARGIN = 80
const WATERLINE = 404
const INK = '#0f2133'
const INK_SOFT = '#4d5763'
const SEA = '#006a4e'
// Latin first, then the other letters of European names.
const SERIF = 'Newsreader latin, Newsreader latin-ext'
const SANS = 'Geist latin, Geist latin-ext'

/**
 * The picture that services show beside a link to a page: the title above the waterline, the description below it.
 *
 * @param {{ title: string, description: string, site: string, host: string }} words
 * @returns {Promise<Buffer>} a PNG of 1200 × 630 pixels
 */
export async function socialPicture({ title, description, site, host }) {
  const svg = await satori(
    sheet(
      text(site, { left: MARGIN + 70, top: 63, fontFamily: SERIF, fontSize: 40, letterSpacing: -0.4 }),
      box(
        {
          left: MARGIN,
          top: 130,
          width: WIDTH - 2 * MARGIN,
          height: WATERLINE - 130 - 34,
          alignItems: 'flex-end',
        },
        text(shortened(title, 90), {
          fontFamily: SERIF,
          fontSize: title.length > 46 ? 64 : 88,
          letterSpacing: -1.6,
          lineHeight: 1.06,
        }),
      ),
      text(shortened(description, 190), {
        left: MARGIN,
        top: WATERLINE + 34,
        width: 700,
        fontSize: 28,
        lineHeight: 1.42,
        color: INK_SOFT,
        position: 'absolute',
      }),
      text(host, { left: MARGIN, bottom: 32, fontSize: 22, color: INK_SOFT, position: 'absolute' }),
    ),
    { width: WIDTH, height: HEIGHT, fonts: await fonts() },
  )
  return sharp(Buffer.from(svg.replace(/<\/svg>$/, `${ornament()}</svg>`)))
    .png({ palette: true, colours: 64, effort: 5 })
    .toBuffer()
}

// The mark in the corner, and a large one whose line is the waterline.
function ornament() {
  return [
    `<g fill="none" stroke-linecap="round">`,
    `<path d="M${MARGIN + 2} 76h52" stroke="${INK}" stroke-width="4.6"/>`,
    `<path d="M${MARGIN + 11} 84a17 17 0 0 0 34 0" stroke="${SEA}" stroke-width="4.6"/>`,
    `<path d="M0 ${WATERLINE}H${WIDTH}" stroke="${INK}" stroke-width="2"/>`,
    `<path d="M850 ${WATERLINE + 26}a135 135 0 0 0 270 0" stroke="${SEA}" stroke-width="9"/>`,
    '</g>',
  ].join('')
}

/** @typedef {import('react').ReactElement} Element what satori takes in the place of JSX */

/** @param {Element[]} children */
function sheet(...children) {
  return box(
    {
      width: WIDTH,
      height: HEIGHT,
      top: 0,
      left: 0,
      background: THEME_COLOURS.light,
      color: INK,
      fontFamily: SANS,
    },
    ...children,
  )
}

/** @param {Record<string, unknown>} style @param {Element[]} children @returns {Element} */
function box(style, ...children) {
  return {
    type: 'div',
    key: null,
    props: { style: { display: 'flex', position: 'absolute', ...style }, children },
  }
}

/** @param {string} words @param {Record<string, unknown>} style @returns {Element} */
function text(words, style) {
  const position = 'left' in style ? { position: 'absolute' } : {}
  return { type: 'div', key: null, props: { style: { ...position, ...style }, children: words } }
}

/** At most so many characters, cut between words. @param {string} words @param {number} most */
function shortened(words, most) {
  return words.length <= most ? words : `${words.slice(0, most - 1).replace(/\s+\S*$/, '')}…`
}

const FILES = [
  ['Newsreader latin', import.meta.resolve('@fontsource/newsreader/files/newsreader-latin-400-normal.woff')],
  [
    'Newsreader latin-ext',
    import.meta.resolve('@fontsource/newsreader/files/newsreader-latin-ext-400-normal.woff'),
  ],
  ['Geist latin', import.meta.resolve('@fontsource/geist/files/geist-latin-400-normal.woff')],
  ['Geist latin-ext', import.meta.resolve('@fontsource/geist/files/geist-latin-ext-400-normal.woff')],
]

/** @type {Promise<import('satori').Font[]> | undefined} */
let loading

function fonts() {
  loading ??= Promise.all(
    FILES.map(async ([name = '', file = '']) => {
      const data = await readFile(fileURLToPath(file))
      return { name, data, weight: /** @type {const} */ (400), style: /** @type {const} */ ('normal') }
    }),
  )
  return loading
}
