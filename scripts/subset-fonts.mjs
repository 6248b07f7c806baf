// Reduces the two typefaces to the characters that the site uses: `npm run fonts`. Run it after updating a @fontsource-variable
// package. Its output in src/design/fonts is committed.
import { readFile, writeFile } from 'node:fs/promises'
import subsetFont from 'subset-font'

const latin = `${listCharacters(0x20, 0x7e)}${listCharacters(0xa0, 0xff)}ıŒœˆ˚˜–—‘’‚“”„†•…‹›€™↑→↓←−∕≈≤≥▲▼\u2009\u200a\u202f\u2060`

await buildFont(
  'geist',
  import.meta.resolve('@fontsource-variable/geist/files/geist-latin-wght-normal.woff2'),
  {
    wght: { min: 400, max: 600 },
  },
)
await buildFont(
  'newsreader',
  import.meta.resolve('@fontsource-variable/newsreader/files/newsreader-latin-standard-normal.woff2'),
  { wght: 460, opsz: 36 },
)

/** @param {string} family @param {string} file @param {import('subset-font').VariationAxes} variationAxes */
async function buildFont(family, file, variationAxes) {
  const source = await readFile(new URL(file))
  const made = await subsetFont(source, latin, {
    targetFormat: 'woff2',
    variationAxes,
    keepFeatures: ['kern', 'liga', 'calt', 'ccmp', 'locl', 'mark', 'mkmk', 'tnum', 'lnum', 'case'],
    noHinting: true,
  })
  await writeFile(new URL(`../src/design/fonts/${family}.woff2`, import.meta.url), made)
  console.log(`${family}: ${source.length} → ${made.length} bytes`)
}

/** @param {number} from @param {number} to */
function listCharacters(from, to) {
  return String.fromCodePoint(...Array.from({ length: to - from + 1 }, (_, index) => from + index))
}
